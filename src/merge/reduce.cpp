#include "merge/reduce.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "base/problem_sink.hpp"
#include "codec/walk.hpp"
#include "darrow/aggregate.hpp"
#include "darrow/write.hpp"
#include "merge/scan.hpp"
#include "merge/shared_files.hpp"
#include "table/build.hpp"
#include "table/join.hpp"

namespace darrow::merging {
namespace {

bool identifies(const Field& field, const Module& module) {
  return field.rule == Rule::none && field.in(module.current()) && !field.hidden && field.type != Type::pad;
}

/// What identifies a file beside its id, such as the pool in which it lies: of each the first record's.
class Identities {
 public:
  explicit Identities(const Module& module) {
    for (const auto& field : module.fields)
      if (identifies(field, module)) fields_.push_back({&field, {}, {}});
  }
  /// The first record of a file. REQUIRES: files come in the order of their numbers.
  void add(const Table& table, std::int64_t row) {
    for (auto& f : fields_) {
      const Column& column = *table.find(f.field->label());
      if (f.field->is_number()) f.numbers.push_back(column.values<std::uint64_t>()[static_cast<std::size_t>(row)]);
      else f.texts.emplace_back(column.text(row));
    }
  }
  std::vector<Column> finish() {
    std::vector<Column> done;
    for (auto& f : fields_) {
      Column column;
      if (f.field->is_number()) {
        column.name = f.field->label();
        column.type = column_type(f.field->type);
        column.length = static_cast<std::int64_t>(f.numbers.size());
        NewBuffer words(f.numbers.size() * sizeof f.numbers[0]);
        std::memcpy(words.data, f.numbers.data(), words.size);
        column.data = words.buffer();
      } else {
        TextBuilder texts{std::string(f.field->label())};
        for (auto& text : f.texts) texts.add(text);
        column = std::move(texts).finish();
      }
      column.field = f.field;
      done.push_back(std::move(column));
    }
    return done;
  }

 private:
  struct OfField {
    const Field* field;
    std::vector<std::uint64_t> numbers;  ///< of 64 bits, of whatever type
    std::vector<std::string> texts;
  };
  std::vector<OfField> fields_;
};

/// Where records do not agree about what cannot be left open, such as the file of a dataset, nulls become 0: none.
Column without_nulls(Column column) {
  column.validity = {};
  column.null_count = 0;
  return column;
}

/// Ids, with 0 for none, such as the file of a dataset: where some records of a file tell none and the others agree, what these
/// say.
class AgreedIds {
 public:
  explicit AgreedIds(const Module& module) {
    for (const auto& field : module.fields)
      if (field.rule == Rule::same && field.type == Type::u64 && field.in(module.current()))
        fields_.push_back({&field, {}, {}});
  }
  /// A record of file number `group`.
  void add(const Table& table, std::int64_t row, std::size_t group) {
    for (auto& f : fields_) {
      if (group >= f.ids.size()) {
        f.ids.resize(group + 1);
        f.differ.resize(group + 1);
      }
      const Column& column = *table.find(f.field->label());
      auto id = column.valid(row) ? column.values<std::uint64_t>()[static_cast<std::size_t>(row)] : 0;
      if (id == 0) continue;
      if (f.ids[group] != 0 && f.ids[group] != id) f.differ[group] = true;
      f.ids[group] = id;
    }
  }
  /// Replaces the columns of these fields, in the order of the files.
  void put(Table& rows) const {
    for (const auto& f : fields_)
      for (auto& column : rows.columns) {
        if (column.field != f.field) continue;
        NewBuffer words(f.ids.size() * sizeof f.ids[0]);
        auto agreed = f.ids;
        for (std::size_t group = 0; group < agreed.size(); ++group)
          if (f.differ[group]) agreed[group] = 0;
        std::memcpy(words.data, agreed.data(), words.size);
        column.data = words.buffer();
        column = without_nulls(std::move(column));
      }
  }

 private:
  struct OfField {
    const Field* field;
    std::vector<std::uint64_t> ids;  ///< by file; 0: none so far
    std::vector<bool> differ;
  };
  std::vector<OfField> fields_;
};

/// Those that are good, or all.
Table chosen_rows(const Table& table, const std::vector<bool>& good) {
  Table chosen = table;
  chosen.rows = std::ranges::count(good, true);
  for (auto& column : chosen.columns) {
    std::vector<Piece> pieces;
    for (std::size_t row = 0; row < good.size(); ++row)
      if (good[row]) pieces.push_back({&column, static_cast<std::int64_t>(row), static_cast<std::int64_t>(row) + 1});
    if (pieces.empty()) continue;
    Column joined = join(pieces);
    joined.name = column.name;
    joined.field = column.field;
    column = std::move(joined);
  }
  return chosen;
}

Column shared_rank(std::int64_t rows) {
  std::vector<std::optional<std::int64_t>> ranks(static_cast<std::size_t>(rows), -1);
  Column column = value_column<std::int64_t>("rank", ranks);
  column.field = &rank_field;
  return column;
}

/// By the rules of their counters.
Result<Reduced> add_up(Logs logs, const Runs& runs, const Module& module, IdIndex files,
                       std::vector<Problem>& problems) {
  auto sums = Accumulator::create(module);
  if (!sums) return sums.error();
  Identities identities(module);
  AgreedIds agreed(module);
  // Groups are numbered as the files come up, so that each new one is the next.
  IdIndex order;
  TableOptions options;
  options.columns = Accumulator::columns(module);
  options.keep = [&](std::uint64_t id, std::int64_t) { return files.find(id) >= 0; };
  std::optional<Error> failed;
  auto add = [&](std::size_t, const Table& batch) {
    std::vector<std::uint32_t> groups;
    auto ids = batch.find("id")->values<std::uint64_t>();
    for (std::int64_t row = 0; row < batch.rows; ++row) {
      auto [group, is_new] = order.insert(ids[static_cast<std::size_t>(row)]);
      groups.push_back(static_cast<std::uint32_t>(group));
      if (is_new) identities.add(batch, row);
      agreed.add(batch, row, static_cast<std::size_t>(group));
    }
    if (batch.rows == 0 || failed) return;
    if (auto rows = sums->add(batch, groups); !rows) failed = rows.error();
  };
  if (auto error = scan_all(logs, runs, module.name, options, add)) return *error;
  if (failed) return *failed;
  Table rows = *sums->table();
  for (auto& column : rows.columns)
    if (column.field && !column.field->takes_null()) column = without_nulls(std::move(column));
  agreed.put(rows);
  for (auto& column : identities.finish()) rows.columns.push_back(std::move(column));
  auto found = sums->problems();
  problems.insert(problems.end(), found.begin(), found.end());
  return Reduced{std::move(files), std::move(rows)};
}

/// Bytes of each record behind id and rank, in the newest version. An error if tables cannot hold one (texts that are no UTF-8).
Result<std::vector<std::string>> contents(const Table& records, const Module& module) {
  const Table* all[] = {&records};
  auto packed = to_records(all, module, module.current());
  if (!packed) return packed.error();
  auto repeats = place_repeats(module, module.current());
  const RowFilter every;
  std::vector<Problem> none;
  ProblemSink sink(std::string(module.name), std::string(module.name), none);
  std::size_t fixed = record_base_bytes + stored_bytes(module.fields, module.current());
  RegionStream region(*packed);
  Walker walker(region, fixed, repeats, false, every, Walker::Take::records, {}, sink);
  Walk walk = walker.next({});
  walk.starts.push_back(packed->size);
  std::vector<std::string> found;
  auto* text = reinterpret_cast<const char*>(packed->data);
  for (std::size_t i = 0; i + 1 < walk.starts.size(); ++i)
    found.emplace_back(text + walk.starts[i] + record_base_bytes, text + walk.starts[i + 1]);
  return found;
}

/// Layouts that are the same for all: the first record stands for them.
Result<Reduced> take_first(Logs logs, const Runs& runs, const Module& module, const IdIndex& files) {
  TableOptions options;
  options.columns = column_names(module);
  std::erase_if(options.columns, [](auto& name) { return name == "name" || name == "mount" || name == "fs_type"; });
  options.keep = [&](std::uint64_t id, std::int64_t) { return files.find(id) >= 0; };
  IdIndex order;
  std::vector<std::string> layouts;
  std::vector<bool> same;
  std::vector<Table> firsts;
  bool is_storable = true;
  auto look = [&](std::size_t, const Table& batch) {
    if (batch.rows == 0 || !is_storable) return;
    auto found = contents(batch, module);
    is_storable = found.has_value();
    if (!is_storable) return;
    std::vector<bool> is_first;
    auto ids = batch.find("id")->values<std::uint64_t>();
    for (std::size_t row = 0; row < ids.size(); ++row) {
      auto [at, is_new] = order.insert(ids[row]);
      is_first.push_back(is_new);
      if (is_new) {
        layouts.push_back(std::move((*found)[row]));
        same.push_back(true);
      } else if (layouts[static_cast<std::size_t>(at)] != (*found)[row]) {
        same[static_cast<std::size_t>(at)] = false;
      }
    }
    if (std::ranges::count(is_first, true)) firsts.push_back(chosen_rows(batch, is_first));
  };
  if (auto error = scan_all(logs, runs, module.name, options, look)) return *error;
  Reduced reduced;
  if (!is_storable) return reduced;
  for (std::int64_t i = 0; i < order.size(); ++i)
    if (same[static_cast<std::size_t>(i)]) reduced.files.insert(order.id(i));
  if (reduced.files.size() == 0) return reduced;
  std::vector<const Table*> parts;
  for (auto& part : firsts) parts.push_back(&part);
  reduced.rows = chosen_rows(join(parts), same);
  for (auto& column : reduced.rows.columns)
    if (column.name == "rank") column = shared_rank(reduced.rows.rows);
  return reduced;
}

}  // namespace

Result<Reduced> reduce_shared(Logs logs, const Runs& runs, const Module& module, std::vector<Problem>& problems) {
  if (!module.layout && !module.instead.empty()) return Reduced{};
  auto files = files_of_all(logs, runs, module.name);
  if (!files) return files.error();
  if (files->size() == 0) return Reduced{};
  return module.layout ? take_first(logs, runs, module, *files)
                       : add_up(logs, runs, module, std::move(*files), problems);
}

}  // namespace darrow::merging
