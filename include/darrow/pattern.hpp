/// Regular expressions that are looked for in names: RE2's syntax, in time linear in the length of the name.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "darrow/result.hpp"

namespace re2 {
class RE2;
}

namespace darrow {

class Pattern {
 public:
  /// A dot stands for a line end too. Error: invalid_argument, with RE2's message.
  static Result<Pattern> compile(const std::string& expression);
  /// Whether it is found anywhere in a name as tables have it: UTF-8, with every other byte written as \xNN.
  bool in(std::string_view name) const;
  const std::string& expression() const;

 private:
  explicit Pattern(std::shared_ptr<const re2::RE2>);
  std::shared_ptr<const re2::RE2> compiled_;
};

}  // namespace darrow
