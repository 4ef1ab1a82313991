#include "cli/option_values.hpp"

#include <fmt/format.h>

namespace darrow::cli {

std::uint64_t record_id(const std::string& text) {
  auto id = number<std::uint64_t>(text);
  if (!id) throw Wrong{fmt::format("\"{}\" is no record id, a decimal number below 2^64", text)};
  return *id;
}

RankRange rank_range(const std::string& text) {
  auto minus = text.find('-', 1);
  auto first = number<std::int64_t>(text.substr(0, minus));
  auto last = minus == text.npos ? first : number<std::int64_t>(text.substr(minus + 1));
  if (!first || !last || *first > *last)
    throw Wrong{fmt::format("\"{}\" is no rank or range of ranks, such as 0-7", text)};
  return {*first, *last};
}

Pattern pattern(const std::string& text) {
  auto compiled = Pattern::compile(text);
  if (!compiled) throw Wrong{compiled.error().message};
  return *compiled;
}

}  // namespace darrow::cli
