#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cmath>
#include <cstring>

#include "darrow/arrow.hpp"
#include "table/build.hpp"

namespace darrow {
namespace {

using Bytes = std::vector<std::byte>;

// ---- foreign arrays, made by hand

template <typename T>
Bytes bytes_of(const std::vector<T>& values) {
  Bytes out(values.size() * sizeof(T));
  if (!out.empty()) std::memcpy(out.data(), values.data(), out.size());
  return out;
}

Bytes bytes_of(std::string_view text) { return bytes_of(std::vector<char>(text.begin(), text.end())); }

/// "1011": the first row first.
Bytes bits_of(std::string_view bits) {
  Bytes out((bits.size() + 7) / 8);
  for (std::size_t i = 0; i < bits.size(); ++i)
    if (bits[i] == '1') out[i / 8] |= std::byte{1} << (i % 8);
  return out;
}

/// An array and its type. A buffer that is not there is null.
struct Array {
  std::string format, name = {};
  std::int64_t length = 0;
  std::vector<std::optional<Bytes>> buffers = {};
  std::vector<Array> children = {};
  std::shared_ptr<Array> dictionary = {};
  std::int64_t offset = 0, null_count = -1;

  Array from(std::int64_t first, std::int64_t rows) const {
    Array a = *this;
    a.offset = first;
    a.length = rows;
    return a;
  }
  Array where(std::string_view validity) const {
    Array a = *this;
    a.buffers[0] = bits_of(validity);
    return a;
  }
  Array called(std::string_view other) const {
    Array a = *this;
    a.name = other;
    return a;
  }
};

template <typename T>
Array numbers(std::string_view format, const std::vector<T>& values) {
  return {.format = std::string(format),
          .name = "x",
          .length = static_cast<std::int64_t>(values.size()),
          .buffers = {std::nullopt, bytes_of(values)}};
}

template <typename Offset>
Array texts(std::string_view format, const std::vector<Offset>& offsets, std::string_view text) {
  return {.format = std::string(format),
          .name = "x",
          .length = static_cast<std::int64_t>(offsets.size()) - 1,
          .buffers = {std::nullopt, bytes_of(offsets), bytes_of(text)}};
}

template <typename Offset>
Array lists(std::string_view format, const std::vector<Offset>& offsets, Array items) {
  return {.format = std::string(format),
          .name = "x",
          .length = static_cast<std::int64_t>(offsets.size()) - 1,
          .buffers = {std::nullopt, bytes_of(offsets)},
          .children = {std::move(items)}};
}

Array structure(std::vector<Array> children) {
  auto length = children.empty() ? 0 : children[0].length;
  return {.format = "+s", .name = "x", .length = length, .buffers = {std::nullopt}, .children = std::move(children)};
}

Array coded(Array indices, Array values) {
  indices.dictionary = std::make_shared<Array>(std::move(values));
  return indices;
}

int alive = 0;  ///< arrays, schemas and streams that nobody released yet

/// What a structure of the interface points to. Freed when it is released, so that a later look at it shows.
template <typename Struct>
struct Insides {
  Array array;
  std::vector<Bytes> copies;
  std::vector<const void*> buffers;
  std::vector<Struct> children;
  std::vector<Struct*> pointers;
  Struct dictionary{};
};

template <typename Struct>
void release(Struct* s) {
  auto* insides = static_cast<Insides<Struct>*>(s->private_data);
  for (auto& child : insides->children)
    if (child.release) child.release(&child);
  if (insides->dictionary.release) insides->dictionary.release(&insides->dictionary);
  delete insides;
  s->release = nullptr;
  --alive;
}

template <typename Struct>
Struct fill(const Array& a) {
  auto* in = new Insides<Struct>{a, {}, {}, {}, {}, {}};
  ++alive;
  for (auto& b : in->array.buffers) in->buffers.push_back(b ? b->data() : nullptr);
  static const std::byte nothing[8]{};
  for (std::size_t i = 0; i < in->buffers.size(); ++i)
    if (in->array.buffers[i] && !in->buffers[i]) in->buffers[i] = nothing;
  for (const auto& child : a.children) in->children.push_back(fill<Struct>(child));
  for (auto& child : in->children) in->pointers.push_back(&child);
  if (a.dictionary) in->dictionary = fill<Struct>(*a.dictionary);
  Struct out{};
  out.n_children = static_cast<std::int64_t>(in->children.size());
  out.children = in->pointers.data();
  out.dictionary = a.dictionary ? &in->dictionary : nullptr;
  out.release = release<Struct>;
  out.private_data = in;
  if constexpr (std::is_same_v<Struct, ArrowArray>) {
    out.length = a.length;
    out.null_count = a.null_count;
    out.offset = a.offset;
    out.n_buffers = static_cast<std::int64_t>(in->buffers.size());
    out.buffers = in->buffers.data();
  } else {
    out.format = in->array.format.c_str();
    out.name = in->array.name.c_str();
  }
  return out;
}

/// A table of one column called x, or of those columns.
Result<Imported> imported(std::vector<Array> columns) {
  auto table = structure(std::move(columns));
  auto array = fill<ArrowArray>(table);
  auto schema = fill<ArrowSchema>(table);
  auto result = import_array(&array, &schema);
  EXPECT_EQ(array.release, nullptr);
  EXPECT_EQ(schema.release, nullptr);
  return result;
}

// ---- columns as text

std::string cell(const Column& c, std::int64_t row) {
  if (!c.valid(row)) return "null";
  auto i = static_cast<std::size_t>(row);
  switch (c.type) {
    case ColumnType::boolean: return std::to_integer<int>(c.data.data[i / 8] >> (i % 8) & std::byte{1}) ? "yes" : "no";
    case ColumnType::i32: return fmt::format("{}", c.values<std::int32_t>()[i]);
    case ColumnType::u32: return fmt::format("{}", c.values<std::uint32_t>()[i]);
    case ColumnType::i64: return fmt::format("{}", c.values<std::int64_t>()[i]);
    case ColumnType::u64: return fmt::format("{}", c.values<std::uint64_t>()[i]);
    case ColumnType::f64: return fmt::format("{}", c.values<double>()[i]);
    case ColumnType::utf8:
    case ColumnType::binary:
    case ColumnType::dictionary: return std::string(c.text(row));
    case ColumnType::list: {
      std::string out;
      auto offsets = c.offsets.as<std::int32_t>();
      for (auto e = offsets[i]; e < offsets[i + 1]; ++e) out += (out.empty() ? "" : " ") + cell(c.children[0], e);
      return "[" + out + "]";
    }
    case ColumnType::structure: {
      std::string out;
      for (const auto& child : c.children)
        out += fmt::format("{}{}={}", out.empty() ? "" : " ", child.name, cell(child, row));
      return "{" + out + "}";
    }
  }
  return "";
}

/// The column x as text, after checks of what is promised of every column.
std::string shown(const Result<Imported>& result) {
  if (!result) return result.error().describe();
  const Column* c = result->batches.at(0).find("x");
  if (!c) return "no column x";
  EXPECT_EQ(c->length, result->batches[0].rows);
  std::int64_t nulls = 0;
  std::string out;
  for (std::int64_t row = 0; row < c->length; ++row) {
    nulls += !c->valid(row);
    out += (row ? " " : "") + cell(*c, row);
  }
  EXPECT_EQ(c->null_count, nulls);
  EXPECT_EQ(c->validity.empty(), nulls == 0);
  if (!c->offsets.empty()) {
    EXPECT_EQ(c->offsets.as<std::int32_t>().size(), static_cast<std::size_t>(c->length) + 1);
    EXPECT_EQ(c->offsets.as<std::int32_t>()[0], 0);
    auto last = c->offsets.as<std::int32_t>().back();
    if (c->type == ColumnType::list) EXPECT_EQ(last, c->children[0].length);
    else EXPECT_EQ(static_cast<std::size_t>(last), c->data.size);
  }
  return out;
}

std::string shown(const Array& column) { return shown(imported({column})); }

ColumnType type_of(const Array& column) { return imported({column})->batches[0].columns[0].type; }

/// Every test ends with nothing left.
struct Import : testing::Test {
  void TearDown() override {
    EXPECT_EQ(alive, 0);
    alive = 0;
  }
};

// ---- numbers

TEST_F(Import, NumbersOfOurWidthsStayWhereTheyAre) {
  auto check = [](const Array& a, ColumnType type, std::size_t width) {
    auto table = structure({a.from(1, 2)});
    auto array = fill<ArrowArray>(table);
    auto schema = fill<ArrowSchema>(table);
    const auto* values = static_cast<const std::byte*>(array.children[0]->buffers[1]);
    auto result = import_array(&array, &schema);
    ASSERT_TRUE(result);
    const Column& c = result->batches[0].columns[0];
    EXPECT_EQ(c.type, type);
    EXPECT_EQ(c.data.data, values + width);
    EXPECT_EQ(c.data.size, 2 * width);
    EXPECT_EQ(shown(result), "2 3");
  };
  check(numbers<std::int32_t>("i", {1, 2, 3}), ColumnType::i32, 4);
  check(numbers<std::uint32_t>("I", {1, 2, 3}), ColumnType::u32, 4);
  check(numbers<std::int64_t>("l", {1, 2, 3}), ColumnType::i64, 8);
  check(numbers<std::uint64_t>("L", {1, 2, 3}), ColumnType::u64, 8);
  check(numbers<double>("g", {1, 2, 3}), ColumnType::f64, 8);
}

TEST_F(Import, NarrowNumbersAreWidened) {
  EXPECT_EQ(shown(numbers<std::int8_t>("c", {-128, 127})), "-128 127");
  EXPECT_EQ(type_of(numbers<std::int8_t>("c", {1})), ColumnType::i64);
  EXPECT_EQ(shown(numbers<std::uint8_t>("C", {0, 255})), "0 255");
  EXPECT_EQ(type_of(numbers<std::uint8_t>("C", {1})), ColumnType::u64);
  EXPECT_EQ(shown(numbers<std::int16_t>("s", {-32768, 32767}).from(1, 1)), "32767");
  EXPECT_EQ(shown(numbers<std::uint16_t>("S", {0, 65535})), "0 65535");
  EXPECT_EQ(shown(numbers<float>("f", {0.5f, -HUGE_VALF})), "0.5 -inf");
  EXPECT_EQ(type_of(numbers<float>("f", {1})), ColumnType::f64);
  EXPECT_EQ(
      shown(numbers<std::uint16_t>("e", {0x3c00, 0xc000, 0x0001, 0x7bff, 0x7c00, 0xfc00, 0x8000, 0x3555, 0x7e00})),
      "1 -2 5.960464477539063e-08 65504 inf -inf -0 0.333251953125 nan");
}

TEST_F(Import, NumbersThatLieOddlyAreMoved) {
  Array a = numbers<std::int64_t>("l", {1, 2});
  a.buffers[1]->insert(a.buffers[1]->begin(), std::byte{});
  auto table = structure({a});
  auto array = fill<ArrowArray>(table);
  auto schema = fill<ArrowSchema>(table);
  array.children[0]->buffers[1] = static_cast<const std::byte*>(array.children[0]->buffers[1]) + 1;
  EXPECT_EQ(shown(import_array(&array, &schema)), "1 2");
}

TEST_F(Import, Nulls) {
  auto a = numbers<std::int64_t>("l", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}).where("10111111101");
  EXPECT_EQ(shown(a), "0 null 2 3 4 5 6 7 8 null 10");
  EXPECT_EQ(shown(a.from(1, 10)), "null 2 3 4 5 6 7 8 null 10") << "bits are shifted";
  EXPECT_EQ(shown(a.from(3, 7)), "3 4 5 6 7 8 null");
  EXPECT_EQ(shown(a.from(8, 3)), "8 null 10") << "a byte begins there";
  EXPECT_EQ(shown(a.from(2, 6)), "2 3 4 5 6 7") << "no null among these";
  a.null_count = 0;
  EXPECT_EQ(shown(a.from(0, 2)), "0 1") << "said to have none";
}

TEST_F(Import, BitmapsAreNotReadBeyondTheirEnd) {
  std::string bits(64, '1');
  bits[63] = '0';
  std::vector<std::int64_t> values(64, 5);
  auto result = imported({numbers("l", values).where(bits).from(61, 3)});
  EXPECT_EQ(shown(result), "5 5 null");
}

TEST_F(Import, Booleans) {
  Array a{.format = "b", .name = "x", .length = 10, .buffers = {std::nullopt, bits_of("1010101101")}};
  EXPECT_EQ(shown(a), "yes no yes no yes no yes yes no yes");
  EXPECT_EQ(shown(a.from(3, 6)), "no yes no yes yes no");
  EXPECT_EQ(shown(a.where("0111111111").from(0, 2)), "null no");
}

TEST_F(Import, TheTypeNull) {
  Array a{.format = "n", .name = "x", .length = 3, .buffers = {}};
  EXPECT_EQ(shown(a), "null null null");
  EXPECT_EQ(type_of(a), ColumnType::i64);
}

// ---- texts

TEST_F(Import, Texts) {
  EXPECT_EQ(shown(texts<std::int32_t>("u", {0, 1, 3, 3}, "abc")), "a bc ");
  EXPECT_EQ(shown(texts<std::int32_t>("u", {0, 1, 3, 4}, "abcd").from(1, 2)), "bc d") << "offsets become 0";
  EXPECT_EQ(shown(texts<std::int64_t>("U", {0, 1, 3}, "abc").where("01")), "null bc");
  EXPECT_EQ(shown(texts<std::int32_t>("z", {0, 1, 3}, "a\xff\xfe")), "a \xff\xfe") << "bytes stay";
  EXPECT_EQ(shown(texts<std::int64_t>("Z", {0, 1, 3}, "abc")), "a bc");
  EXPECT_EQ(type_of(texts<std::int64_t>("U", {0, 1}, "a")), ColumnType::utf8);
  EXPECT_EQ(type_of(texts<std::int64_t>("Z", {0, 1}, "a")), ColumnType::binary);
}

TEST_F(Import, TextsStayWhereTheyAre) {
  auto table =
      structure({texts<std::int32_t>("u", {0, 1, 3}, "abc"), texts<std::int64_t>("U", {0, 1, 3}, "abc").called("y")});
  auto array = fill<ArrowArray>(table);
  auto schema = fill<ArrowSchema>(table);
  const void *offsets = array.children[0]->buffers[1], *text = array.children[0]->buffers[2],
             *large = array.children[1]->buffers[2];
  auto result = import_array(&array, &schema);
  EXPECT_EQ(result->batches[0].columns[0].offsets.data, offsets);
  EXPECT_EQ(result->batches[0].columns[0].data.data, text);
  EXPECT_EQ(result->batches[0].columns[1].data.data, large);
}

TEST_F(Import, WhatIsNoTextIsEscaped) {
  EXPECT_EQ(shown(texts<std::int32_t>("u", {0, 1, 4}, "a\xff\xc3\xa4")), "a \\xff\xc3\xa4");
  EXPECT_EQ(shown(texts<std::int32_t>("u", {0, 1, 2}, "\xc3\xa4")), "\\xc3 \\xa4") << "a character across two texts";
  EXPECT_EQ(shown(texts<std::int32_t>("u", {0, 1, 2},
                                      "\xff"
                                      "a")
                      .where("01")),
            "null a");
}

TEST_F(Import, TextViews) {
  auto view = [](std::int32_t length, std::string_view rest, std::int32_t buffer = 0, std::int32_t offset = 0) {
    Bytes out(16);
    std::memcpy(out.data(), &length, 4);
    std::memcpy(out.data() + 4, rest.data(), length > 12 ? 4 : rest.size());
    if (length > 12) {
      std::memcpy(out.data() + 8, &buffer, 4);
      std::memcpy(out.data() + 12, &offset, 4);
    }
    return out;
  };
  auto views = [](std::string_view format, const std::vector<Bytes>& rows) {
    Bytes all;
    for (const auto& r : rows) all.insert(all.end(), r.begin(), r.end());
    return Array{.format = std::string(format),
                 .name = "x",
                 .length = static_cast<std::int64_t>(rows.size()),
                 .buffers = {std::nullopt, all, bytes_of("short"), bytes_of("..thirteen bytes"),
                             bytes_of<std::int64_t>({5, 16})}};
  };
  const auto good = view(14, "thir", 1, 2);
  EXPECT_EQ(shown(views("vu", {view(3, "abc"), view(12, "twelve bytes"), good, view(0, "")})),
            "abc twelve bytes thirteen bytes ");
  EXPECT_EQ(shown(views("vu", {view(3, "abc"), good}).from(1, 1)), "thirteen bytes");
  EXPECT_EQ(shown(views("vu", {view(-1, "abc"), view(1, "\xff")}).where("01")), "null \\xff");
  EXPECT_EQ(shown(views("vz", {view(1, "\xff")})), "\xff");
  EXPECT_EQ(type_of(views("vz", {view(1, "a")})), ColumnType::binary);
  const std::string beyond = "column x: a text beyond its buffer";
  EXPECT_EQ(shown(views("vu", {view(14, "thir", 1, 3)})), beyond);
  EXPECT_EQ(shown(views("vu", {view(14, "thir", 2, 0)})), beyond);
  EXPECT_EQ(shown(views("vu", {view(14, "thir", -1, 0)})), beyond);
  EXPECT_EQ(shown(views("vu", {view(14, "thir", 1, -1)})), beyond);
  EXPECT_EQ(shown(views("vu", {view(-1, "")})), "column x: a text of negative length");
  auto bare = views("vu", {good});
  bare.buffers.back() = std::nullopt;
  EXPECT_EQ(shown(bare), "column x: text without the sizes of its buffers");
}

TEST_F(Import, Dictionaries) {
  auto values = texts<std::int32_t>("u", {0, 1, 2, 3}, "abc");
  auto check = [&](const Array& indices) {
    EXPECT_EQ(shown(coded(indices, values)), "c a b a") << indices.format;
    EXPECT_EQ(shown(coded(indices.where("1011").from(1, 3), values)), "null b a") << indices.format;
    EXPECT_EQ(type_of(coded(indices, values)), ColumnType::dictionary);
  };
  check(numbers<std::int8_t>("c", {2, 0, 1, 0}));
  check(numbers<std::uint8_t>("C", {2, 0, 1, 0}));
  check(numbers<std::int16_t>("s", {2, 0, 1, 0}));
  check(numbers<std::uint16_t>("S", {2, 0, 1, 0}));
  check(numbers<std::int32_t>("i", {2, 0, 1, 0}));
  check(numbers<std::uint32_t>("I", {2, 0, 1, 0}));
  check(numbers<std::int64_t>("l", {2, 0, 1, 0}));
  check(numbers<std::uint64_t>("L", {2, 0, 1, 0}));
  auto indices = numbers<std::int32_t>("i", {2, 0, 1});
  EXPECT_EQ(shown(coded(indices, texts<std::int64_t>("U", {0, 1, 2, 3}, "abc"))), "c a b");
  EXPECT_EQ(shown(coded(indices, values.where("011"))), "c null b") << "a null text";
  EXPECT_EQ(shown(coded(indices, texts<std::int32_t>("u", {0, 1, 2, 3, 4}, "zabc").from(1, 3))), "c a b");
  EXPECT_EQ(shown(coded(numbers<std::int32_t>("i", {9, 9}).where("00"), values.from(0, 0))), "null null");
  auto nothing = coded(numbers<std::int8_t>("c", {0, 1}), {.format = "n", .length = 2});
  EXPECT_EQ(shown(nothing), "null null") << "a dictionary of nulls only";
  EXPECT_EQ(type_of(nothing.from(0, 0)), ColumnType::dictionary);
  EXPECT_EQ(imported({nothing})->batches[0].columns[0].dictionary->type, ColumnType::utf8);
  const std::string beyond = "column x: an index beyond its dictionary";
  EXPECT_EQ(shown(coded(numbers<std::int32_t>("i", {3}), values)), beyond);
  EXPECT_EQ(shown(coded(numbers<std::int32_t>("i", {-1}), values)), beyond);
  EXPECT_EQ(shown(coded(numbers<std::uint64_t>("L", {std::uint64_t{1} << 63}), values)), beyond);
}

// ---- lists and structures

TEST_F(Import, Lists) {
  auto items = numbers<std::int64_t>("l", {1, 2, 3, 4, 5});
  EXPECT_EQ(shown(lists<std::int32_t>("+l", {0, 2, 2, 5}, items)), "[1 2] [] [3 4 5]");
  EXPECT_EQ(shown(lists<std::int32_t>("+l", {0, 2, 2, 5}, items).from(1, 2)), "[] [3 4 5]");
  EXPECT_EQ(shown(lists<std::int32_t>("+l", {0, 2, 3}, items.from(1, 4))), "[2 3] [4]") << "items have an offset too";
  EXPECT_EQ(shown(lists<std::int64_t>("+L", {1, 2, 4}, items)), "[2] [3 4]");
  EXPECT_EQ(shown(lists<std::int32_t>("+l", {0, 2, 3}, items).where("01")), "null [3]");
  Array fixed{.format = "+w:2", .name = "x", .length = 2, .buffers = {std::nullopt}, .children = {items}};
  EXPECT_EQ(shown(fixed), "[1 2] [3 4]");
  EXPECT_EQ(shown(fixed.from(1, 1)), "[3 4]");
  EXPECT_EQ(shown(fixed.where("10")), "[1 2] null");
  fixed.format = "+w:0";
  EXPECT_EQ(shown(fixed), "[] []");
  auto result = imported({lists<std::int32_t>("+l", {0, 2}, items.called("element"))});
  EXPECT_EQ(result->batches[0].columns[0].children[0].name, "item");
}

TEST_F(Import, Structures) {
  auto a = numbers<std::int64_t>("l", {1, 2, 3}).called("a"),
       b = texts<std::int32_t>("u", {0, 1, 2, 3}, "xyz").called("b");
  EXPECT_EQ(shown(structure({a, b})), "{a=1 b=x} {a=2 b=y} {a=3 b=z}");
  EXPECT_EQ(shown(structure({a.where("110"), b}).from(1, 2)), "{a=2 b=y} {a=null b=z}");
  EXPECT_EQ(shown(structure({a.from(1, 2), b})), "{a=2 b=x} {a=3 b=y}");
  auto result = imported({structure({a.where("110"), b}).where("011")});
  EXPECT_EQ(shown(result), "null {a=2 b=y} {a=null b=z}");
  const Column& c = result->batches[0].columns[0];
  EXPECT_EQ(cell(c.children[0], 0) + cell(c.children[0], 2), "nullnull") << "null inside as well";
  EXPECT_EQ(c.children[0].null_count, 2);
  EXPECT_EQ(cell(c.children[1], 0) + cell(c.children[1], 2), "nullz");
  EXPECT_EQ(shown(lists<std::int32_t>("+l", {0, 1, 3}, structure({a, b}))), "[{a=1 b=x}] [{a=2 b=y} {a=3 b=z}]");
}

TEST_F(Import, NullRowsOfABatch) {
  auto table =
      structure({numbers<std::int64_t>("l", {1, 2, 3}), texts<std::int32_t>("u", {0, 1, 2, 3}, "abc").called("y")})
          .where("101")
          .from(1, 2);
  auto array = fill<ArrowArray>(table);
  auto schema = fill<ArrowSchema>(table);
  auto result = import_array(&array, &schema);
  EXPECT_EQ(shown(result), "null 3");
  EXPECT_EQ(cell(result->batches[0].columns[1], 0), "null");
}

// ---- types without a counterpart

TEST_F(Import, OtherTypesAreLeftOutAndTold) {
  auto other = [](std::string_view format) {
    auto result = imported({numbers<std::int64_t>("l", {1}), numbers<std::int64_t>(format, {1}).called("y")});
    EXPECT_TRUE(result) << format;
    if (!result) return result.error().describe();
    EXPECT_EQ(result->batches[0].columns.size(), 1u);
    EXPECT_EQ(shown(result), "1");
    EXPECT_EQ(result->unusable.at(0).name, "y");
    return result->unusable[0].type;
  };
  EXPECT_EQ(other("tsu:UTC"), "timestamp (Arrow \"tsu:UTC\")");
  EXPECT_EQ(other("tdD"), "date (Arrow \"tdD\")");
  EXPECT_EQ(other("ttm"), "time (Arrow \"ttm\")");
  EXPECT_EQ(other("tDs"), "duration (Arrow \"tDs\")");
  EXPECT_EQ(other("tiM"), "interval (Arrow \"tiM\")");
  EXPECT_EQ(other("d:38,0"), "decimal (Arrow \"d:38,0\")");
  EXPECT_EQ(other("w:16"), "fixed-size binary (Arrow \"w:16\")");
  EXPECT_EQ(other("+r"), "run-end encoded (Arrow \"+r\")");
  EXPECT_EQ(other("+m"), "map (Arrow \"+m\")");
  EXPECT_EQ(other("+us:0,1"), "union (Arrow \"+us:0,1\")");
  EXPECT_EQ(other("+vl"), "list view (Arrow \"+vl\")");
  EXPECT_EQ(other("+w:x"), "Arrow \"+w:x\"");
  EXPECT_EQ(other(""), "Arrow \"\"");
}

TEST_F(Import, DictionariesOfNumbers) {
  auto indices = numbers<std::int16_t>("s", {2, 0, 1, 0});
  auto check = [&](const Array& values, ColumnType type, const std::string& expected) {
    EXPECT_EQ(type_of(coded(indices, values)), type);
    EXPECT_EQ(shown(coded(indices, values)), expected);
  };
  check(numbers<std::int64_t>("l", {1, -2, std::int64_t{1} << 62}), ColumnType::i64, "4611686018427387904 1 -2 1");
  check(numbers<std::uint64_t>("L", {1, 2, UINT64_MAX}), ColumnType::u64, "18446744073709551615 1 2 1");
  check(numbers<std::int32_t>("i", {1, -2, 3}), ColumnType::i32, "3 1 -2 1");
  check(numbers<std::uint8_t>("C", {1, 2, 255}), ColumnType::u64, "255 1 2 1");
  check(numbers<double>("g", {0.5, 2, 0.25}), ColumnType::f64, "0.25 0.5 2 0.5");
  auto values = numbers<std::int64_t>("l", {7, 8, 9});
  EXPECT_EQ(shown(coded(indices.where("1011"), values)), "9 null 8 7");
  EXPECT_EQ(shown(coded(indices, values.where("011"))), "9 null 8 null") << "a null value";
  EXPECT_EQ(shown(coded(indices.from(1, 3), values)), "7 8 7");
  EXPECT_EQ(shown(coded(numbers<std::int8_t>("c", {3}), values)), "column x: an index beyond its dictionary");
  EXPECT_EQ(type_of(coded(indices, values).from(0, 0)), ColumnType::i64);
}

TEST_F(Import, ColumnsLeftOut) {
  auto named = [](Array array, std::string name) {
    array.name = std::move(name);
    return array;
  };
  const std::vector<std::string> left_out{"b", "d"};
  for (std::int64_t rows : {2, 0}) {
    Array table =
        structure({named(numbers<std::int64_t>("l", {1, 2}), "a"),
                   named(texts<std::int32_t>("u", {0, 1, 2}, "xy"), "b"), named(numbers<double>("g", {1, 2}), "c")})
            .from(0, rows);
    auto array = fill<ArrowArray>(table);
    auto schema = fill<ArrowSchema>(table);
    auto imported = import_array(&array, &schema, left_out);
    ASSERT_TRUE(imported);
    ASSERT_EQ(imported->batches[0].columns.size(), 2u);
    EXPECT_EQ(imported->batches[0].columns[0].name, "a");
    EXPECT_EQ(imported->batches[0].columns[1].name, "c");
  }
}

TEST_F(Import, OtherTypesInside) {
  auto date = numbers<std::int32_t>("tdD", {1});
  auto type = [](Array a) { return imported({std::move(a)})->unusable.at(0).type; };
  EXPECT_EQ(type(lists<std::int32_t>("+l", {0, 1}, date)), "date (Arrow \"tdD\")");
  EXPECT_EQ(type(structure({date})), "date (Arrow \"tdD\")");
  EXPECT_EQ(type(coded(numbers<std::int8_t>("c", {0}), date)), "dictionary of date (Arrow \"tdD\")");
  EXPECT_EQ(type(coded(numbers<std::int8_t>("c", {0}), texts<std::int32_t>("z", {0, 1}, "a"))),
            "dictionary of Arrow \"z\"");
  Array deep = numbers<std::int64_t>("l", {1});
  for (int i = 0; i < 40; ++i) deep = lists<std::int32_t>("+l", {0, 1}, std::move(deep));
  EXPECT_EQ(type(deep), "nested more than 16 deep");
}

// ---- what cannot be

TEST_F(Import, TwoColumnsOfOneName) {
  auto a = numbers<std::int64_t>("l", {1});
  EXPECT_EQ(shown(imported({a, a})), "two columns are called \"x\"");
}

TEST_F(Import, NoTable) {
  auto array = fill<ArrowArray>(numbers<std::int64_t>("l", {1}));
  auto schema = fill<ArrowSchema>(numbers<std::int64_t>("l", {1}));
  auto result = import_array(&array, &schema);
  EXPECT_EQ(shown(result), "no table, but values of type \"l\"");
  EXPECT_EQ(result.error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(shown(import_array(&array, &schema)), "an array that was taken before");
}

TEST_F(Import, OffsetsThatCannotBe) {
  EXPECT_EQ(shown(texts<std::int32_t>("u", {0, 2, 1}, "abc")), "column x: offsets that do not ascend");
  EXPECT_EQ(shown(texts<std::int32_t>("u", {-1, 2}, "abc")), "column x: offsets that do not ascend");
  EXPECT_EQ(shown(lists<std::int32_t>("+l", {0, 3}, numbers<std::int64_t>("l", {1, 2}))),
            "column x: an array of 2 rows, 3 expected");
  auto result = imported({texts<std::int64_t>("U", {0, std::int64_t{1} << 31}, "abc")});
  EXPECT_EQ(shown(result), "column x: more than 2^31 bytes of text in one batch");
  EXPECT_EQ(result.error().code, ErrorCode::out_of_memory);
  EXPECT_EQ(shown(lists<std::int64_t>("+L", {0, std::int64_t{1} << 31}, numbers<std::int64_t>("l", {1}))),
            "column x: more than 2^31 list items in one batch");
}

/// The error after `spoil` changed the array and the schema of a column.
template <typename Spoil>
std::string spoiled(const Array& column, Spoil spoil) {
  auto table = structure({column});
  auto array = fill<ArrowArray>(table);
  auto schema = fill<ArrowSchema>(table);
  spoil(*array.children[0], *schema.children[0]);
  return shown(import_array(&array, &schema));
}

TEST_F(Import, ArraysThatCannotBe) {
  auto plain = numbers<std::int64_t>("l", {1, 2});
  auto list = lists<std::int32_t>("+l", {0, 1, 2}, plain);
  auto coded_text = coded(numbers<std::int32_t>("i", {0, 0}), texts<std::int32_t>("u", {0, 1}, "a"));
  using A = ArrowArray&;
  using S = ArrowSchema&;
  EXPECT_EQ(spoiled(plain, [](A a, S) { a.length = 1; }), "column x: an array of 1 rows, 2 expected");
  EXPECT_EQ(spoiled(plain, [](A a, S) { a.length = -1; }), "column x: an array of -1 rows from row 0");
  EXPECT_EQ(spoiled(plain, [](A a, S) { a.offset = -1; }), "column x: an array of 2 rows from row -1");
  EXPECT_EQ(spoiled(plain, [](A a, S) { a.offset = INT64_MAX - 1; }),
            "column x: an array of 2 rows from row 9223372036854775806");
  EXPECT_EQ(spoiled(plain, [](A a, S) { a.n_buffers = 1; }), "column x: an array of type \"l\" with 1 buffers");
  EXPECT_EQ(spoiled(plain, [](A a, S) { a.buffers = nullptr; }), "column x: an array of type \"l\" with 2 buffers");
  EXPECT_EQ(spoiled(plain, [](A a, S) { a.buffers[1] = nullptr; }), "column x: an array without its values");
  EXPECT_EQ(spoiled(texts<std::int32_t>("u", {0, 1, 2}, "ab"), [](A a, S) { a.buffers[2] = nullptr; }),
            "column x: an array without its text");
  EXPECT_EQ(spoiled(list, [](A a, S) { a.n_children = 0; }), "column x: an array with 0 children, 1 expected");
  EXPECT_EQ(spoiled(list, [](A, S s) { s.n_children = 0; }), "a type \"+l\" with 0 children");
  EXPECT_EQ(spoiled(structure({plain}), [](A, S s) { s.n_children = -1; }), "a type \"+s\" with -1 children");
  EXPECT_EQ(spoiled(list, [](A a, S) { a.children = nullptr; }), "column x: an array with 1 children, 1 expected");
  EXPECT_EQ(spoiled(list, [](A, S s) { s.children = nullptr; }), "a schema without its children");
  EXPECT_EQ(spoiled(plain, [](A, S s) { s.format = nullptr; }), "a schema that was released or has no type");
  EXPECT_EQ(spoiled(coded_text, [](A a, S) { a.dictionary = nullptr; }), "column x: a dictionary without its values");
  EXPECT_EQ(spoiled(coded_text, [](A, S s) { s.format = "g"; }), "a dictionary whose indices are no whole numbers");
  EXPECT_EQ(spoiled(coded_text, [](A, S s) { s.format = "n"; }), "a dictionary whose indices are no whole numbers");
  EXPECT_EQ(spoiled(plain, [](A a, S) { a.release(&a); }), "column x: an array that was released");
  EXPECT_EQ(spoiled(plain, [](A, S s) { s.name = nullptr; }), "no column x") << "a name may be missing";
  Array fixed{.format = "+w:2", .name = "x", .length = 1, .buffers = {std::nullopt}, .children = {plain}};
  EXPECT_EQ(spoiled(fixed, [](A, S s) { s.format = "+w:3"; }), "column x: an array of 2 rows, 3 expected");
  EXPECT_EQ(spoiled(fixed, [](A, S s) { s.format = "+w:9223372036854775807"; }), "column x: lists that are too long");
}

// ---- streams

/// A stream of tables that may fail; batch number `failing`, or −1 for the schema.
struct Stream {
  std::vector<Array> batches = {};
  Array type = {};
  int failing = 99;
  bool speaks = true;
  int at = 0;

  ArrowArrayStream open() {
    ++alive;
    return {.get_schema =
                [](ArrowArrayStream* s, ArrowSchema* out) {
                  auto& self = *static_cast<Stream*>(s->private_data);
                  if (self.failing == -1) return EIO;
                  *out = fill<ArrowSchema>(self.type);
                  return 0;
                },
            .get_next =
                [](ArrowArrayStream* s, ArrowArray* out) {
                  auto& self = *static_cast<Stream*>(s->private_data);
                  if (self.at == self.failing) return EIO;
                  *out = {};
                  if (self.at < static_cast<int>(self.batches.size()))
                    *out = fill<ArrowArray>(self.batches[static_cast<std::size_t>(self.at++)]);
                  return 0;
                },
            .get_last_error = [](ArrowArrayStream* s) -> const char* {
              return static_cast<Stream*>(s->private_data)->speaks ? "the tape tore" : nullptr;
            },
            .release =
                [](ArrowArrayStream* s) {
                  s->release = nullptr;
                  --alive;
                },
            .private_data = this};
  }
};

TEST_F(Import, AStreamGivesAllItsBatches) {
  auto values = texts<std::int32_t>("u", {0, 1, 2}, "ab"), others = texts<std::int32_t>("u", {0, 1}, "c");
  Stream source{.batches = {structure({coded(numbers<std::int8_t>("c", {1, 0}), values)}),
                            structure({coded(numbers<std::int8_t>("c", {0}), others)})}};
  source.type = source.batches[0];
  auto stream = source.open();
  auto result = import_stream(&stream);
  ASSERT_TRUE(result);
  EXPECT_EQ(stream.release, nullptr);
  ASSERT_EQ(result->batches.size(), 2u);
  EXPECT_EQ(cell(result->batches[0].columns[0], 0), "b");
  EXPECT_EQ(cell(result->batches[1].columns[0], 0), "c") << "dictionaries may differ";
  EXPECT_EQ(alive, 2 * 3) << "arrays with their column and its dictionary stay as long as the tables";
  Column kept = result->batches[1].columns[0];
  result = Error{};
  EXPECT_EQ(cell(kept, 0), "c");
}

TEST_F(Import, AnEmptyStreamHasColumns) {
  auto plain = numbers<std::int64_t>("l", {});
  Stream source{.type = structure({plain, texts<std::int64_t>("U", {0}, "").called("y"),
                                   lists<std::int32_t>("+l", {0}, plain).called("z"),
                                   numbers<std::int64_t>("tdD", {}).called("day")})};
  auto stream = source.open();
  auto result = import_stream(&stream);
  ASSERT_TRUE(result);
  ASSERT_EQ(result->batches.size(), 1u);
  EXPECT_EQ(result->batches[0].rows, 0);
  EXPECT_EQ(result->batches[0].columns.size(), 3u);
  EXPECT_EQ(result->batches[0].columns[1].type, ColumnType::utf8);
  EXPECT_EQ(result->batches[0].columns[2].offsets.as<std::int32_t>()[0], 0);
  EXPECT_EQ(result->unusable.at(0).name, "day");
  EXPECT_EQ(shown(result), "");
}

TEST_F(Import, AProducerThatFails) {
  Stream source{.batches = {structure({numbers<std::int64_t>("l", {1})})},
                .type = structure({numbers<std::int64_t>("l", {1})})};
  for (int failing : {-1, 0, 1}) {
    source.failing = failing;
    source.at = 0;
    auto stream = source.open();
    auto result = import_stream(&stream);
    EXPECT_EQ(shown(result), "the table cannot be read: the tape tore");
    EXPECT_EQ(result.error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(stream.release, nullptr);
    EXPECT_EQ(alive, 0);
  }
  source.speaks = false;
  source.at = 0;
  auto stream = source.open();
  EXPECT_EQ(shown(import_stream(&stream)), fmt::format("the table cannot be read: {}", std::strerror(EIO)));
  EXPECT_EQ(shown(import_stream(&stream)), "a stream that was read before");
}

TEST_F(Import, OurOwnTables) {
  auto t = std::make_shared<Table>();
  t->rows = 3;
  Column stored = value_column<std::int64_t>("x", {1, {}, 3});
  stored.stored_nulls = true;
  t->columns = {stored};
  ArrowArrayStream stream;
  export_stream(t, Nulls::arrow, &stream);
  auto result = import_stream(&stream);
  EXPECT_EQ(shown(result), "1 null 3");
  EXPECT_EQ(result->batches[0].columns[0].data.data, stored.data.data);
  EXPECT_FALSE(result->batches[0].columns[0].stored_nulls) << "nobody can tell what lies behind nulls";
  export_stream(t, Nulls::raw, &stream);
  EXPECT_EQ(shown(import_stream(&stream)), "1 0 3");
}

}  // namespace
}  // namespace darrow
