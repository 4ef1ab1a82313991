#include "cli/names.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace darrow::cli {
namespace {

std::string plain(std::string_view name) {
  std::string out;
  for (unsigned char c : name)
    if (std::isalnum(c)) out += static_cast<char>(std::tolower(c));
  return out;
}

/// How many letters have to be changed, added or taken away.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t corner = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      std::size_t changed = corner + (a[i] == b[j] ? 0 : 1);
      corner = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, corner + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string all_modules() {
  std::vector<std::string_view> names;
  for (auto* module : modules()) names.push_back(module->name);
  return listed(names);
}

std::string listed(std::span<const std::string_view> names) {
  std::string text;
  for (auto name : names) text.append(text.empty() ? "" : ", ").append(name);
  return text;
}

std::vector<std::string_view> nearest(std::string_view name, std::span<const std::string_view> known) {
  constexpr std::size_t most = 4;
  std::string typed = plain(name.substr(0, 64));  // longer ones are no misspelt names
  std::vector<std::pair<std::size_t, std::string_view>> found;
  for (auto candidate : known) {
    std::string other = plain(candidate);
    bool part = typed.size() >= 3 && other.find(typed) != other.npos;
    std::size_t far = distance(typed, other);
    if (part) found.emplace_back(0, candidate);
    else if (far <= std::max<std::size_t>(1, typed.size() / 4)) found.emplace_back(far, candidate);
  }
  std::stable_sort(found.begin(), found.end(), [](auto& a, auto& b) { return a.first < b.first; });
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < found.size() && i < most; ++i) names.push_back(found[i].second);
  return names;
}

}  // namespace darrow::cli
