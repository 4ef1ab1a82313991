#include "group/keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <ctime>
#include <limits>
#include <map>
#include <unordered_map>

#include "base/id_index.hpp"
#include "base/invalid_argument.hpp"
#include "base/utf8.hpp"
#include "group/name_parts.hpp"
#include "table/build.hpp"
#include "table/join.hpp"

namespace darrow {
namespace {

constexpr std::uint32_t unknown = UINT32_MAX;

/// A column of a table; an error if it is not there.
Result<const Column*> column_of(const Table& rows, std::string_view name) {
  const Column* column = rows.find(name);
  if (!column) return invalid_argument(rows.name, fmt::format("the table lacks column {}, by which to group", name));
  return column;
}

/// A text column of a table; all null if there is none.
Result<const Column*> text_column(const Table& rows, std::string_view name) {
  auto column = column_of(rows, name);
  if (column && (*column)->null_count < (*column)->length && (*column)->type != ColumnType::utf8 &&
      (*column)->type != ColumnType::dictionary)
    return invalid_argument(rows.name, fmt::format("column {} holds no text", name));
  return column;
}

/// Distinct texts, or no text, by number.
class Texts {
 public:
  std::uint32_t number(std::optional<std::string_view> text) {
    if (!text) {
      if (none_ == unknown) none_ = add({});
      return none_;
    }
    auto known = numbers_.find(std::string(*text));
    if (known != numbers_.end()) return known->second;
    auto number = add(std::string(*text));
    numbers_.emplace(*text, number);
    return number;
  }
  Column column(std::string name, std::span<const std::uint32_t> numbers) const {
    TextBuilder texts(std::move(name));
    for (auto n : numbers) texts_[n] ? texts.add_valid(*texts_[n]) : texts.add_null();
    return std::move(texts).finish();
  }

 private:
  std::uint32_t add(std::optional<std::string> text) {
    texts_.push_back(std::move(text));
    return static_cast<std::uint32_t>(texts_.size() - 1);
  }
  std::vector<std::optional<std::string>> texts_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::uint32_t none_ = unknown;
};

class FileKey : public Key {
 public:
  std::vector<std::string> columns() const override { return {"id", "name"}; }
  std::optional<Error> number(const Table& rows, std::span<const std::int64_t>,
                              std::span<std::uint32_t> numbers) override {
    auto ids = column_of(rows, "id");
    if (!ids) return ids.error();
    const Column* names = rows.find("name");  // may have got lost
    if (names) {
      if (auto column = text_column(rows, "name"); !column) return column.error();
    }
    auto values = (*ids)->values<std::uint64_t>();
    for (std::size_t r = 0; r < numbers.size(); ++r) {
      auto [position, is_new] = ids_.insert(values[r]);
      numbers[r] = static_cast<std::uint32_t>(position);
      if (!is_new) continue;
      auto row = static_cast<std::int64_t>(r);
      if (names && names->valid(row)) names_.add_valid(names->text(row));
      else names_.add_null();
    }
    return {};
  }
  void tell(std::span<const std::uint32_t> numbers, std::vector<Column>& columns) const override {
    std::vector<std::optional<std::uint64_t>> ids;
    for (auto n : numbers) ids.emplace_back(ids_.id(n));
    columns.push_back(value_column<std::uint64_t>("id", ids));
    columns.back().field = &id_field;
    Column all = TextBuilder(names_).finish();
    TextBuilder names("name");
    for (auto n : numbers) all.valid(n) ? names.add_valid(all.text(n)) : names.add_null();
    columns.push_back(std::move(names).finish());
  }

 private:
  IdIndex ids_;
  TextBuilder names_{"name"};
};

/// A name of a log as columns tell it: escaped if it is not UTF-8, for which `room` is used.
std::string_view text_of(const Names& names, std::int64_t position, std::string& room) {
  std::string_view stored = names.name(position);
  return is_utf8(stored) ? stored : room = escape_utf8(stored);
}

/// Files by the positions of their names in a log.
class NamedFileKey : public Key {
 public:
  explicit NamedFileKey(std::shared_ptr<const Names> names)
      : names_(std::move(names)), numbers_(static_cast<std::size_t>(names_->size())) {}
  std::vector<std::string> columns() const override { return {"id"}; }
  std::optional<Error> number(const Table& rows, std::span<const std::int64_t> positions,
                              std::span<std::uint32_t> numbers) override {
    auto ids = column_of(rows, "id");
    if (!ids) return ids.error();
    auto values = (*ids)->values<std::uint64_t>();
    for (std::size_t r = 0; r < numbers.size(); ++r)
      numbers[r] = positions[r] < 0 ? nameless(values[r]) : named(values[r], positions[r]);
    return {};
  }
  void tell(std::span<const std::uint32_t> numbers, std::vector<Column>& columns) const override {
    std::vector<std::optional<std::uint64_t>> ids;
    ids.reserve(numbers.size());
    TextBuilder names("name");
    std::string room;
    for (auto number : numbers) {
      const File& file = files_[number];
      ids.emplace_back(file.id);
      if (file.position < 0) names.add_null();
      else names.add_valid(text_of(*names_, file.position, room));
    }
    columns.push_back(value_column<std::uint64_t>("id", ids));
    columns.back().field = &id_field;
    columns.push_back(std::move(names).finish());
  }

 private:
  struct File {
    std::uint64_t id;
    std::int64_t position;
  };
  std::uint32_t add(std::uint64_t id, std::int64_t position) {
    files_.push_back({id, position});
    return static_cast<std::uint32_t>(files_.size() - 1);
  }
  std::uint32_t named(std::uint64_t id, std::int64_t position) {
    auto& known = numbers_[static_cast<std::size_t>(position)];
    if (!known) known = add(id, position) + 1;
    return known - 1;
  }
  std::uint32_t nameless(std::uint64_t id) {
    auto [at, is_new] = nameless_.insert(id);
    if (is_new) nameless_numbers_.push_back(add(id, -1));
    return nameless_numbers_[static_cast<std::size_t>(at)];
  }
  std::shared_ptr<const Names> names_;
  std::vector<File> files_;             ///< by number
  std::vector<std::uint32_t> numbers_;  ///< by position of the name: number + 1, or 0
  IdIndex nameless_;
  std::vector<std::uint32_t> nameless_numbers_;  ///< by position in `nameless_`
};

/// Text of a column.
class TextKey : public Key {
 public:
  explicit TextKey(std::string column) : name_(std::move(column)) {}
  std::vector<std::string> columns() const override { return {name_}; }
  std::optional<Error> number(const Table& rows, std::span<const std::int64_t>,
                              std::span<std::uint32_t> numbers) override {
    auto found = text_column(rows, name_);
    if (!found) return found.error();
    const Column& column = **found;
    std::optional<std::string_view> last;
    for (std::size_t r = 0; r < numbers.size(); ++r) {
      auto row = static_cast<std::int64_t>(r);
      std::optional<std::string_view> text;
      if (column.valid(row)) text = column.text(row);
      numbers[r] = r > 0 && text == last ? numbers[r - 1] : texts_.number(text);
      last = text;
    }
    return {};
  }
  void tell(std::span<const std::uint32_t> numbers, std::vector<Column>& columns) const override {
    columns.push_back(texts_.column(name_, numbers));
  }

 private:
  std::string name_;
  Texts texts_;
};

/// The number of something that follows from a name, remembered by record id, or by the position of the name in a log.
class ByName {
 public:
  explicit ByName(std::shared_ptr<const Names> names) : names_(std::move(names)) {
    if (names_) numbers_.resize(static_cast<std::size_t>(names_->size()), unknown);
  }
  std::vector<std::string> columns() const {
    if (names_) return {"id"};
    return {"id", "name"};
  }
  /// `derive` gives the number for the name of a row, or for none.
  template <typename Derive>
  std::optional<Error> number(const Table& rows, std::span<const std::int64_t> positions,
                              std::span<std::uint32_t> numbers, Derive derive) {
    if (!names_) return number_by_column(rows, numbers, derive);
    std::string room;
    for (std::size_t r = 0; r < numbers.size(); ++r) {
      auto& number = positions[r] < 0 ? nameless_ : numbers_[static_cast<std::size_t>(positions[r])];
      if (number == unknown)
        number = derive(positions[r] < 0 ? std::optional<std::string_view>() : text_of(*names_, positions[r], room));
      numbers[r] = number;
    }
    return {};
  }

 private:
  struct Known {
    std::size_t hash;
    std::uint32_t number;
  };
  template <typename Derive>
  std::optional<Error> number_by_column(const Table& rows, std::span<std::uint32_t> numbers, Derive derive) {
    auto ids = column_of(rows, "id");
    if (!ids) return ids.error();
    auto names = text_column(rows, "name");
    if (!names) return names.error();
    auto values = (*ids)->values<std::uint64_t>();
    for (std::size_t r = 0; r < numbers.size(); ++r) {
      auto row = static_cast<std::int64_t>(r);
      std::optional<std::string_view> name;
      if ((*names)->valid(row)) name = (*names)->text(row);
      // Tables of several logs may have several names for an id.
      std::size_t hash = name ? std::hash<std::string_view>()(*name) : 0;
      auto [position, is_new] = ids_.insert(values[r]);
      if (is_new) known_.push_back({hash, derive(name)});
      const Known& known = known_[static_cast<std::size_t>(position)];
      numbers[r] = known.hash == hash ? known.number : derive(name);
    }
    return {};
  }
  std::shared_ptr<const Names> names_;
  std::vector<std::uint32_t> numbers_;  ///< by position of the name; `unknown`: not derived yet
  std::uint32_t nameless_ = unknown;
  IdIndex ids_;
  std::vector<Known> known_;
};

/// Whether records are of parts of files: their names have the file in front.
bool in_files(const Module* module) { return module && find_field(module->fields, "file_rec_id"); }

/// A part of the name.
class NamePartKey : public Key {
 public:
  /// `depth_in_name`: the column's name tells the depth.
  NamePartKey(const GroupKey& key, bool depth_in_name, std::shared_ptr<const Names> names)
      : kind_(key.kind),
        depth_(key.depth),
        column_(kind_ == GroupKey::Kind::ext ? "ext"
                : depth_in_name              ? fmt::format("dir{}", depth_)
                                             : "dir"),
        by_name_(std::move(names)) {}
  std::vector<std::string> columns() const override { return by_name_.columns(); }
  std::optional<Error> number(const Table& rows, std::span<const std::int64_t> positions,
                              std::span<std::uint32_t> numbers) override {
    bool parts = in_files(rows.module);
    return by_name_.number(rows, positions, numbers, [&](std::optional<std::string_view> name) {
      if (!name) return texts_.number({});
      std::string_view file = parts ? file_of(*name) : *name;
      return texts_.number(kind_ == GroupKey::Kind::ext ? extension_of(file) : directory_of(file, depth_));
    });
  }
  void tell(std::span<const std::uint32_t> numbers, std::vector<Column>& columns) const override {
    columns.push_back(texts_.column(column_, numbers));
  }

 private:
  GroupKey::Kind kind_;
  int depth_;
  std::string column_;
  ByName by_name_;
  Texts texts_;
};

class NamePatternKey : public PatternKey {
 public:
  NamePatternKey(std::shared_ptr<const Patterns> patterns, std::shared_ptr<const Names> names)
      : patterns_(std::move(patterns)), by_name_(std::move(names)) {}
  std::vector<std::string> columns() const override { return by_name_.columns(); }
  std::optional<Error> number(const Table& rows, std::span<const std::int64_t> positions,
                              std::span<std::uint32_t> numbers) override {
    return by_name_.number(rows, positions, numbers, [&](std::optional<std::string_view> name) {
      auto found = name ? patterns_->set.in(*name) : std::vector<int>();
      auto [at, is_new] = numbers_.try_emplace(std::move(found), static_cast<std::uint32_t>(sets_.size()));
      if (is_new) sets_.push_back(at->first);
      return at->second;
    });
  }
  void tell(std::span<const std::uint32_t>, std::vector<Column>&) const override {}
  const std::vector<int>& patterns_of(std::uint32_t number) const override { return sets_[number]; }
  Column names(std::span<const int> positions) const override {
    TextBuilder names("pattern");
    for (int p : positions) p < 0 ? names.add_null() : names.add(patterns_->names[static_cast<std::size_t>(p)]);
    return std::move(names).finish();
  }

 private:
  std::shared_ptr<const Patterns> patterns_;
  ByName by_name_;
  std::map<std::vector<int>, std::uint32_t> numbers_;
  std::vector<std::vector<int>> sets_;
};

/// What all records of a log share.
class JobKey : public Key {
 public:
  JobKey(GroupKey::Kind kind, const std::string& log, const Job* job) {
    using Kind = GroupKey::Kind;
    auto add_number = [&](std::string name, std::optional<std::int64_t> number) {
      columns_.push_back(value_column<std::int64_t>(std::move(name), {number}));
    };
    auto of_job = [&](std::int64_t Job::* member) { return job ? std::optional(job->*member) : std::nullopt; };
    if (kind == Kind::job) add_text("log", log);
    if (kind == Kind::job) add_number("jobid", of_job(&Job::jobid));
    if (kind == Kind::job || kind == Kind::uid) add_number("uid", of_job(&Job::uid));
    if (kind == Kind::job || kind == Kind::exe) add_text("exe", job ? program_of(*job) : std::nullopt);
    if (kind == Kind::day) add_text("day", job ? day_of(*job) : std::nullopt);
    if (kind == Kind::host) add_text("host", job ? host_of(*job) : std::nullopt);
    if (kind != Kind::job) return;
    add_number("nprocs", of_job(&Job::nprocs));
    add_number("start_time", of_job(&Job::start_time_sec));
    add_number("end_time", of_job(&Job::end_time_sec));
    columns_.push_back(value_column<double>("run_time", {job ? job->run_time : std::nullopt}));
  }
  std::vector<std::string> columns() const override { return {}; }
  std::optional<Error> number(const Table&, std::span<const std::int64_t>, std::span<std::uint32_t> numbers) override {
    std::fill(numbers.begin(), numbers.end(), 0u);
    return {};
  }
  void tell(std::span<const std::uint32_t> numbers, std::vector<Column>& columns) const override {
    for (const auto& column : columns_) {
      const std::vector<Piece> rows(numbers.size(), Piece{&column, 0, 1});
      const Piece none[] = {{&column, 0, 0}};
      columns.push_back(join(rows.empty() ? std::span<const Piece>(none) : rows));
    }
  }

 private:
  void add_text(std::string name, std::optional<std::string_view> text) {
    TextBuilder texts(std::move(name));
    text ? texts.add(*text) : texts.add_null();
    columns_.push_back(std::move(texts).finish());
  }
  static std::optional<std::string> program_of(const Job& job) {
    auto end = job.exe.find_first_of(" \t\n");
    return end == 0 || job.exe.empty() ? std::nullopt : std::optional(job.exe.substr(0, end));
  }
  static std::optional<std::string> day_of(const Job& job) {
    std::tm tm{};
    auto seconds = static_cast<std::time_t>(job.start_time_sec);
    if (job.start_time_sec <= 0 || !gmtime_r(&seconds, &tm)) return {};
    return fmt::format("{:04}-{:02}-{:02}", 1900LL + tm.tm_year, tm.tm_mon + 1, tm.tm_mday);
  }
  static std::optional<std::string> host_of(const Job& job) {
    for (std::string_view wanted : {"hostname", "host"})
      for (const auto& [key, value] : job.metadata)
        if (key == wanted) return value;
    return {};
  }
  std::vector<Column> columns_;  ///< of one row
};

/// Numbers of a column.
template <typename T>
class NumberKey : public Key {
 public:
  explicit NumberKey(const Column& column) : name_(column.name), field_(column.field) {}
  std::vector<std::string> columns() const override { return {name_}; }
  std::optional<Error> number(const Table& rows, std::span<const std::int64_t>,
                              std::span<std::uint32_t> numbers) override {
    const Column& column = *rows.find(name_);
    auto values = column.values<T>();
    for (std::size_t r = 0; r < numbers.size(); ++r) {
      if (!column.valid(static_cast<std::int64_t>(r))) {
        if (none_ == unknown) none_ = add({});
        numbers[r] = none_;
        continue;
      }
      if (r > 0 && numbers[r - 1] != none_ && values[r] == values[r - 1]) {
        numbers[r] = numbers[r - 1];
        continue;
      }
      T value = values[r];
      auto [position, is_new] = index_.insert(bits(value));
      if (is_new) number_of_.push_back(add(value));
      numbers[r] = number_of_[static_cast<std::size_t>(position)];
    }
    return {};
  }
  void tell(std::span<const std::uint32_t> numbers, std::vector<Column>& columns) const override {
    std::vector<std::optional<T>> values;
    for (auto n : numbers) values.push_back(values_[n]);
    columns.push_back(value_column<T>(name_, values));
    columns.back().field = field_;
  }

 private:
  /// 0 of either sign is one value, and so is every NaN.
  static std::uint64_t bits(T& value) {
    if constexpr (!std::is_floating_point_v<T>) return static_cast<std::uint64_t>(value);
    else
      return std::bit_cast<std::uint64_t>(value = value == value ? value + 0.0 : std::numeric_limits<T>::quiet_NaN());
  }
  std::uint32_t add(std::optional<T> value) {
    values_.push_back(value);
    return static_cast<std::uint32_t>(values_.size() - 1);
  }
  std::string name_;
  const Field* field_;
  IdIndex index_;
  std::vector<std::uint32_t> number_of_;  ///< by position in `index_`
  std::vector<std::optional<T>> values_;
  std::uint32_t none_ = unknown;
};

/// True, false, null: the numbers 1, 0, 2.
class TruthKey : public Key {
 public:
  explicit TruthKey(std::string column) : name_(std::move(column)) {}
  std::vector<std::string> columns() const override { return {name_}; }
  std::optional<Error> number(const Table& rows, std::span<const std::int64_t>,
                              std::span<std::uint32_t> numbers) override {
    const Column& column = *rows.find(name_);
    for (std::size_t r = 0; r < numbers.size(); ++r) {
      auto bit = std::to_integer<unsigned>(column.data.data[r >> 3] >> (r & 7)) & 1u;
      auto value = column.valid(static_cast<std::int64_t>(r)) ? bit : 2u;
      auto known = std::ranges::find(values_, value);
      numbers[r] = static_cast<std::uint32_t>(known - values_.begin());
      if (known == values_.end()) values_.push_back(value);
    }
    return {};
  }
  void tell(std::span<const std::uint32_t> numbers, std::vector<Column>& columns) const override {
    std::vector<std::optional<bool>> values;
    for (auto n : numbers) values.push_back(values_[n] < 2 ? std::optional(values_[n] == 1) : std::nullopt);
    columns.push_back(value_column<bool>(name_, values));
  }

 private:
  std::string name_;
  std::vector<unsigned> values_;  ///< in the order of their first appearance
};

/// A column of whatever type it turns out to have.
class ColumnKey : public Key {
 public:
  explicit ColumnKey(std::string column) : name_(std::move(column)) {}
  std::vector<std::string> columns() const override { return {name_}; }
  std::optional<Error> number(const Table& rows, std::span<const std::int64_t>,
                              std::span<std::uint32_t> numbers) override {
    auto column = column_of(rows, name_);
    if (!column)
      return invalid_argument(rows.name,
                              fmt::format("no column {} to group by; keys are file, rank, mount, fs, dir:N, ext, "
                                          "patterns, and columns",
                                          name_));
    if (!key_) {
      switch ((*column)->type) {
        case ColumnType::i32: key_ = std::make_unique<NumberKey<std::int32_t>>(**column); break;
        case ColumnType::u32: key_ = std::make_unique<NumberKey<std::uint32_t>>(**column); break;
        case ColumnType::i64: key_ = std::make_unique<NumberKey<std::int64_t>>(**column); break;
        case ColumnType::u64: key_ = std::make_unique<NumberKey<std::uint64_t>>(**column); break;
        case ColumnType::f64: key_ = std::make_unique<NumberKey<double>>(**column); break;
        case ColumnType::utf8:
        case ColumnType::dictionary: key_ = std::make_unique<TextKey>(name_); break;
        case ColumnType::boolean: key_ = std::make_unique<TruthKey>(name_); break;
        default:
          return invalid_argument(rows.name,
                                  fmt::format("column {} holds no values to group by: numbers or text", name_));
      }
      type_ = (*column)->type;
    }
    if ((*column)->type != type_) return invalid_argument(rows.name, fmt::format("column {} changes its type", name_));
    return key_->number(rows, {}, numbers);
  }
  void tell(std::span<const std::uint32_t> numbers, std::vector<Column>& columns) const override {
    if (key_) return key_->tell(numbers, columns);
    columns.push_back(value_column<std::int64_t>(name_, {}));  // there were no rows
  }

 private:
  std::string name_;
  ColumnType type_ = ColumnType::i64;
  std::unique_ptr<Key> key_;
};

}  // namespace

Patterns::Patterns(std::vector<NamedPattern> named)
    : set([&] {
        std::vector<Pattern> patterns;
        for (const auto& p : named) patterns.push_back(p.pattern);
        return PatternSet(patterns);
      }()) {
  for (auto& p : named) names.push_back(std::move(p.name));
}

std::unique_ptr<Key> make_key(const GroupKey& key, bool several_depths, const OfLog& log) {
  using Kind = GroupKey::Kind;
  switch (key.kind) {
    case Kind::file:
      if (log.names) return std::make_unique<NamedFileKey>(log.names);
      return std::make_unique<FileKey>();
    case Kind::rank: return std::make_unique<ColumnKey>("rank");
    case Kind::mount: return std::make_unique<TextKey>("mount");
    case Kind::fs: return std::make_unique<TextKey>("fs_type");
    case Kind::dir:
    case Kind::ext: return std::make_unique<NamePartKey>(key, several_depths, log.names);
    case Kind::job:
    case Kind::exe:
    case Kind::uid:
    case Kind::day:
    case Kind::host: return std::make_unique<JobKey>(key.kind, log.path, log.job);
    case Kind::pattern:  // see make_pattern_key()
    case Kind::column: break;
  }
  return std::make_unique<ColumnKey>(key.column);
}

std::unique_ptr<PatternKey> make_pattern_key(std::shared_ptr<const Patterns> patterns, const OfLog& log) {
  return std::make_unique<NamePatternKey>(std::move(patterns), log.names);
}

}  // namespace darrow
