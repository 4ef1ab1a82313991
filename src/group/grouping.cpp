#include "darrow/grouping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>

#include "base/invalid_argument.hpp"
#include "base/keyed_index.hpp"
#include "group/keys.hpp"

namespace darrow {

Result<GroupKey> GroupKey::parse(std::string_view text) {
  static constexpr std::pair<std::string_view, Kind> words[] = {{"file", Kind::file},       {"rank", Kind::rank},
                                                                {"pattern", Kind::pattern}, {"mount", Kind::mount},
                                                                {"fs", Kind::fs},           {"ext", Kind::ext}};
  if (text.empty()) return invalid_argument({}, "nothing given to group by");
  for (const auto& [word, kind] : words)
    if (text == word) return GroupKey{.kind = kind, .depth = 0, .column = {}};
  if (text != "dir" && !text.starts_with("dir:"))
    return GroupKey{.kind = Kind::column, .depth = 0, .column = std::string(text)};
  int depth = 0;
  auto number = text.substr(std::min<std::size_t>(text.size(), 4));
  auto [end, failure] = std::from_chars(number.data(), number.data() + number.size(), depth);
  if (failure != std::errc() || end != number.data() + number.size() || depth < 1)
    return invalid_argument({}, fmt::format("\"{}\": directories are grouped to a depth, such as dir:2", text));
  return GroupKey{.kind = Kind::dir, .depth = depth, .column = {}};
}

Result<GroupKey> GroupKey::parse_of_logs(std::string_view text) {
  using enum Kind;
  static constexpr std::pair<std::string_view, Kind> words[] = {
      {"job", job}, {"exe", exe}, {"uid", uid}, {"day", day}, {"host", host}};
  for (const auto& [word, kind] : words)
    if (text == word) return GroupKey{.kind = kind, .depth = 0, .column = {}};
  auto key = parse(text);
  if (!key || key->kind != Kind::column) return key;
  return invalid_argument({},
                          fmt::format("\"{}\" is no key; these are: file, rank, pattern, mount, fs, dir:N, ext, job, "
                                      "exe, uid, day, host",
                                      text));
}

struct Grouping::State {
  std::vector<GroupKey> given;               ///< what `keys` were made of
  std::shared_ptr<const Patterns> compiled;  ///< maybe none
  std::shared_ptr<const Names> names;        ///< null: they come from columns
  std::vector<std::unique_ptr<Key>> keys;
  PatternKey* patterns = nullptr;    ///< one of the keys, if patterns are
  std::size_t pattern_at = 0;        ///< which one
  std::vector<KeyedIndex> combined;  ///< of the first k + 2 keys: group by the first k + 1, and the number of the next
  std::uint32_t most = 0;            ///< numbers of the first key so far
  bool checked = false;              ///< that each column comes from one key

  std::size_t size() const { return combined.empty() ? most : combined.back().size(); }
  /// Calls f(k, number) with the number of the group's value for each key k.
  template <typename F>
  void each_number(std::size_t group, F f) const {
    if (keys.empty()) return;
    auto at = static_cast<std::uint32_t>(group);
    for (std::size_t k = combined.size(); k > 0; --k) {
      const auto& entry = combined[k - 1][at];
      f(k, static_cast<std::uint32_t>(entry.value));
      at = entry.group;
    }
    f(0, at);
  }
};

Grouping::Grouping(std::vector<GroupKey> keys, std::vector<NamedPattern> patterns) : state_(std::make_unique<State>()) {
  bool placed = std::ranges::any_of(keys, [](const GroupKey& key) { return key.kind == GroupKey::Kind::pattern; });
  if (!patterns.empty() && !placed) keys.push_back({GroupKey::Kind::pattern, 0, {}});
  state_->given = std::move(keys);
  state_->compiled = std::make_shared<const Patterns>(std::move(patterns));
  *this = of_log({});
}

Grouping::Grouping(std::unique_ptr<State> state) : state_(std::move(state)) {}

bool Grouping::has(GroupKey::Kind kind) const {
  return std::ranges::any_of(state_->given, [kind](const GroupKey& key) { return key.kind == kind; });
}

Grouping Grouping::of_log(const OfLog& log) const {
  auto made = std::make_unique<State>();
  made->given = state_->given;
  made->compiled = state_->compiled;
  made->names = log.names;
  bool several_depths =
      std::ranges::count_if(made->given, [](const GroupKey& key) { return key.kind == GroupKey::Kind::dir; }) > 1;
  for (const auto& key : made->given) {
    if (key.kind != GroupKey::Kind::pattern) {
      made->keys.push_back(make_key(key, several_depths, log));
    } else if (!made->patterns) {
      auto pattern_key = make_pattern_key(made->compiled, log);
      made->patterns = pattern_key.get();
      made->pattern_at = made->keys.size();
      made->keys.push_back(std::move(pattern_key));
    }
  }
  made->combined.resize(made->keys.empty() ? 0 : made->keys.size() - 1);
  return Grouping(std::move(made));
}

Grouping::Grouping(Grouping&&) noexcept = default;
Grouping& Grouping::operator=(Grouping&&) noexcept = default;
Grouping::~Grouping() = default;

std::vector<std::string> Grouping::columns() const {
  std::vector<std::string> all;
  for (const auto& key : state_->keys)
    for (auto& name : key->columns())
      if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(std::move(name));
  return all;
}

std::size_t Grouping::size() const { return state_->size(); }

std::optional<Error> Grouping::check() const {
  std::vector<Column> columns;
  for (const auto& key : state_->keys) key->tell({}, columns);
  if (state_->patterns) columns.push_back(state_->patterns->names({}));
  for (std::size_t i = 0; i < columns.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (columns[i].name == columns[k].name)
        return invalid_argument({}, fmt::format("two keys tell a column {}: leave out one of them", columns[i].name));
  return {};
}

Result<std::vector<std::uint32_t>> Grouping::number(const Table& rows, std::span<const std::int64_t> positions) {
  State& s = *state_;
  if (!s.checked)
    if (auto error = check()) return *error;
  s.checked = true;
  std::vector<std::uint32_t> groups(static_cast<std::size_t>(rows.rows)), numbers(groups.size());
  if (s.keys.empty() && !groups.empty()) s.most = 1;  // all of one group
  std::vector<std::int64_t> found;
  if (const Column* ids = rows.find("id"); s.names && ids && positions.empty())
    positions = found = s.names->find_all(ids->values<std::uint64_t>());
  for (std::size_t k = 0; k < s.keys.size(); ++k) {
    if (auto error = s.keys[k]->number(rows, positions, k == 0 ? groups : numbers)) return *error;
    if (k == 0) {
      for (auto g : groups) s.most = std::max(s.most, g + 1);
      continue;
    }
    KeyedIndex& index = s.combined[k - 1];
    for (std::size_t r = 0; r < groups.size(); ++r)
      groups[r] = static_cast<std::uint32_t>(index.insert(groups[r], numbers[r]).first);
  }
  return groups;
}

Grouping::Groups Grouping::groups() const {
  const State& s = *state_;
  Groups groups;
  groups.state_ = &s;
  groups.size_ = s.size();
  if (!s.patterns) return groups;
  // A group of several patterns is part of a group of each of them. Positions of patterns take the place of numbers.
  std::map<std::vector<std::uint32_t>, std::uint32_t> known;
  auto none = static_cast<std::uint32_t>(s.compiled->names.size());
  std::vector<std::vector<std::uint32_t>> into(s.size());
  groups.values_.resize(s.keys.size());
  for (std::size_t g = 0; g < s.size(); ++g) {
    std::vector<std::uint32_t> numbers(s.keys.size());
    s.each_number(g, [&](std::size_t k, std::uint32_t number) { numbers[k] = number; });
    auto found = s.patterns->patterns_of(numbers[s.pattern_at]);
    if (found.empty()) found.push_back(static_cast<int>(none));
    for (int p : found) {
      numbers[s.pattern_at] = static_cast<std::uint32_t>(p);
      auto [at, is_new] = known.try_emplace(numbers, static_cast<std::uint32_t>(known.size()));
      if (is_new) {
        for (std::size_t k = 0; k < numbers.size(); ++k) groups.values_[k].push_back(numbers[k]);
        groups.patterns_.push_back(p == static_cast<int>(none) ? -1 : p);
      }
      into[g].push_back(at->second);
    }
  }
  groups.size_ = known.size();
  std::size_t rounds = 1;
  for (const auto& list : into) rounds = std::max(rounds, list.size());
  for (std::size_t i = 0; i < rounds; ++i) {
    auto& round = groups.rounds_.emplace_back();
    for (const auto& list : into) round.push_back(i < list.size() ? list[i] : static_cast<std::uint32_t>(groups.size_));
  }
  return groups;
}

Table Grouping::Groups::keys(std::span<const std::uint32_t> numbers) const {
  const State& s = *state_;
  Table keys;
  keys.name = "groups";
  keys.rows = static_cast<std::int64_t>(numbers.size());
  std::vector<std::vector<std::uint32_t>> values(s.keys.size());
  std::vector<int> patterns;
  for (auto& of_key : values) of_key.reserve(numbers.size());
  for (auto g : numbers) {
    if (s.patterns) {
      for (std::size_t k = 0; k < values.size(); ++k) values[k].push_back(values_[k][g]);
      patterns.push_back(patterns_[g]);
    } else {
      s.each_number(g, [&](std::size_t k, std::uint32_t number) { values[k].push_back(number); });
    }
  }
  for (std::size_t k = 0; k < s.keys.size(); ++k) {
    if (s.patterns && k == s.pattern_at) keys.columns.push_back(s.patterns->names(patterns));
    else s.keys[k]->tell(values[k], keys.columns);
  }
  return keys;
}

Table Grouping::Groups::keys() const {
  std::vector<std::uint32_t> all(size_);
  std::iota(all.begin(), all.end(), 0u);
  return keys(all);
}

}  // namespace darrow
