/// Values of options that several commands take.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "cli/convert_choice.hpp"
#include "darrow/pattern.hpp"

namespace darrow::cli {

/// All of the text as a number.
template <typename T>
std::optional<T> number(std::string_view text) {
  T value{};
  auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

/// Thrown for a value that makes no sense.
struct Wrong {
  std::string message;
};
/// A number of 0 or more. Throws Wrong.
template <typename T>
T count(const std::string& text) {
  auto value = number<T>(text);
  if (!value) throw Wrong{"\"" + text + "\" is no number of 0 or more"};
  return *value;
}

// Each throws Wrong.
std::uint64_t record_id(const std::string& text);
/// "3", "-1", "0-7".
RankRange rank_range(const std::string& text);
Pattern pattern(const std::string& text);

}  // namespace darrow::cli
