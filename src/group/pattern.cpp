#include "darrow/pattern.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include "base/invalid_argument.hpp"
#include "group/pattern_set.hpp"

namespace darrow {
namespace {

re2::RE2::Options options() {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_dot_nl(true);
  return options;
}

}  // namespace

Pattern::Pattern(std::shared_ptr<const re2::RE2> compiled) : compiled_(std::move(compiled)) {}

Result<Pattern> Pattern::compile(const std::string& expression) {
  auto compiled = std::make_shared<const re2::RE2>(expression, options());
  if (!compiled->ok()) return invalid_argument({}, compiled->error());
  return Pattern(std::move(compiled));
}

bool Pattern::in(std::string_view name) const { return re2::RE2::PartialMatch({name.data(), name.size()}, *compiled_); }

const std::string& Pattern::expression() const { return compiled_->pattern(); }

PatternSet::PatternSet(const std::vector<Pattern>& patterns)
    : patterns_(patterns), set_(options(), re2::RE2::UNANCHORED) {
  std::string error;
  for (const auto& pattern : patterns_) compiled_ = set_.Add(pattern.expression(), &error) >= 0 && compiled_;
  compiled_ = compiled_ && set_.Compile();
}

std::vector<int> PatternSet::in(std::string_view name) const {
  std::vector<int> found;
  re2::RE2::Set::ErrorInfo error{};
  // Together they may need more memory than a set gets: then one by one.
  if (compiled_ && (set_.Match({name.data(), name.size()}, &found, &error) || error.kind == re2::RE2::Set::kNoError)) {
    std::sort(found.begin(), found.end());
    return found;
  }
  found.clear();
  for (std::size_t i = 0; i < patterns_.size(); ++i)
    if (patterns_[i].in(name)) found.push_back(static_cast<int>(i));
  return found;
}

}  // namespace darrow
