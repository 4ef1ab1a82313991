/// What keys are made with: columns of a table, and numbers of texts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "darrow/result.hpp"
#include "darrow/table.hpp"

namespace darrow {

inline constexpr std::uint32_t unknown_number = UINT32_MAX;

/// A column of a table. Error: invalid_argument if it is not there.
Result<const Column*> column_of(const Table& rows, std::string_view name);
/// A text column of a table, or one that is all null. Error: invalid_argument if there is none, or it holds something else.
Result<const Column*> text_column(const Table& rows, std::string_view name);

/// Distinct texts, or no text, by number.
class Texts {
 public:
  /// The number of a text, new or known.
  std::uint32_t number(std::optional<std::string_view> text);
  /// The texts with these numbers.
  Column column(std::string name, std::span<const std::uint32_t> numbers) const;

 private:
  std::uint32_t add(std::optional<std::string> text);
  std::vector<std::optional<std::string>> texts_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::uint32_t none_ = unknown_number;
};

}  // namespace darrow
