// Keys that come from files: the file itself, parts of its name, patterns in it.
#include <fmt/format.h>

#include <map>

#include "base/id_index.hpp"
#include "base/utf8.hpp"
#include "group/key_parts.hpp"
#include "group/keys.hpp"
#include "group/name_parts.hpp"
#include "table/build.hpp"

namespace darrow {
namespace {

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

/// The number of something that follows from a name, remembered by record id, or by the position of the name in a log.
class ByName {
 public:
  explicit ByName(std::shared_ptr<const Names> names) : names_(std::move(names)) {
    if (names_) numbers_.resize(static_cast<std::size_t>(names_->size()), unknown_number);
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
      if (number == unknown_number)
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
  std::vector<std::uint32_t> numbers_;  ///< by position of the name; unknown_number: not derived yet
  std::uint32_t nameless_ = unknown_number;
  IdIndex ids_;
  std::vector<Known> known_;
};

/// Whether records are of parts of files: their names have the file in front.
bool in_files(const Module* module) { return module && find_role(module->fields, Role::file); }

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

}  // namespace

Patterns::Patterns(std::vector<NamedPattern> named)
    : set([&] {
        std::vector<Pattern> patterns;
        for (const auto& p : named) patterns.push_back(p.pattern);
        return PatternSet(patterns);
      }()) {
  for (auto& p : named) names.push_back(std::move(p.name));
}

std::unique_ptr<Key> make_file_key(const OfLog& log) {
  if (log.names) return std::make_unique<NamedFileKey>(log.names);
  return std::make_unique<FileKey>();
}

std::unique_ptr<Key> make_name_part_key(const GroupKey& key, bool several_depths, const OfLog& log) {
  return std::make_unique<NamePartKey>(key, several_depths, log.names);
}

std::unique_ptr<PatternKey> make_pattern_key(std::shared_ptr<const Patterns> patterns, const OfLog& log) {
  return std::make_unique<NamePatternKey>(std::move(patterns), log.names);
}

}  // namespace darrow
