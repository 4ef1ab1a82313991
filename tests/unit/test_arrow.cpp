#include <gtest/gtest.h>

#include "darrow/arrow.hpp"
#include "table/build.hpp"

namespace darrow {
namespace {

std::shared_ptr<const Table> table() {
  auto t = std::make_shared<Table>();
  t->name = "test";
  t->rows = 3;
  Column counts = value_column<std::int64_t>("count", {1, {}, 3});
  Column stored = counts;
  stored.name = "stored";
  stored.stored_nulls = true;
  TextBuilder texts("text");
  texts.add("a");
  texts.add_null();
  texts.add("\xff");
  t->columns = {counts, stored, std::move(texts).finish()};
  return t;
}

TEST(Arrow, HandsOutTheTablesOwnBuffers) {
  auto t = table();
  ArrowArray array;
  export_array(t, Nulls::arrow, &array);
  ASSERT_EQ(array.n_children, 3);
  EXPECT_EQ(array.length, 3);
  EXPECT_EQ(array.children[0]->buffers[1], t->columns[0].data.data);
  EXPECT_EQ(array.children[0]->null_count, 1);
  EXPECT_EQ(array.children[2]->buffers[2], t->columns[2].data.data);
  std::weak_ptr<const Table> alive = t;
  t.reset();
  EXPECT_FALSE(alive.expired()) << "the array keeps the table";
  array.release(&array);
  EXPECT_TRUE(alive.expired());
  EXPECT_EQ(array.release, nullptr);
}

TEST(Arrow, RawShowsStoredValuesOnly) {
  ArrowArray array;
  export_array(table(), Nulls::raw, &array);
  EXPECT_EQ(array.children[0]->null_count, 1) << "a null that was never stored stays";
  EXPECT_EQ(array.children[1]->null_count, 0);
  EXPECT_EQ(array.children[1]->buffers[0], nullptr);
  array.release(&array);
}

TEST(Arrow, ChildrenCanBeMovedOut) {
  ArrowArray array;
  export_array(table(), Nulls::arrow, &array);
  ArrowArray child = *array.children[1];
  array.children[1]->release = nullptr;  // moved, as the interface allows
  array.release(&array);
  EXPECT_EQ(static_cast<const std::int64_t*>(child.buffers[1])[2], 3);
  child.release(&child);
}

TEST(Arrow, AStreamGivesOneBatchThenNothing) {
  ArrowArrayStream stream;
  export_stream(table(), Nulls::arrow, &stream);
  ArrowSchema schema;
  ASSERT_EQ(stream.get_schema(&stream, &schema), 0);
  EXPECT_STREQ(schema.format, "+s");
  EXPECT_STREQ(schema.children[2]->format, "u");
  EXPECT_STREQ(schema.children[0]->name, "count");
  schema.release(&schema);
  ArrowArray array;
  ASSERT_EQ(stream.get_next(&stream, &array), 0);
  ASSERT_NE(array.release, nullptr);
  array.release(&array);
  ASSERT_EQ(stream.get_next(&stream, &array), 0);
  EXPECT_EQ(array.release, nullptr);
  stream.release(&stream);
}

TEST(Arrow, TextIsEscaped) { EXPECT_EQ(table()->columns[2].text(2), "\\xff"); }

}  // namespace
}  // namespace darrow
