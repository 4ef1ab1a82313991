/// What the parts of a comparison share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "darrow/diff.hpp"
#include "diff/rules.hpp"
#include "text/head.hpp"

namespace darrow::diffing {

/// Two logs, the rules, and who is told.
class Comparison {
 public:
  Comparison(const util_text::Source& a, const util_text::Source& b, const Rules& rules, const DiffOutput& output)
      : a_(a), b_(b), rules_(rules), output_(output) {}

  const util_text::Source& a() const { return a_; }
  const util_text::Source& b() const { return b_; }
  const Rules& rules() const { return rules_; }
  const DiffEnd& end() const { return end_; }

  /// Tells a difference.
  void tell(const Difference& difference) {
    ++end_.differences;
    output_.difference(difference);
  }
  /// Tells it if the values are different; a fact by the name `name`, to which tolerances and --ignore go.
  void compare(Difference difference, std::string_view name) {
    if (!rules_.ignores(name) && !rules_.equal(name, difference.a, difference.b)) tell(difference);
  }
  void complain(const std::string& message) { output_.complain(message); }
  /// Something of a module could not be read.
  void lose(std::string_view module, const Error& error);

 private:
  const util_text::Source& a_;
  const util_text::Source& b_;
  const Rules& rules_;
  const DiffOutput& output_;
  DiffEnd end_;
};

/// A module of two logs; null: the log does not have it.
struct ModulePair {
  const ModuleInfo* a = nullptr;
  const ModuleInfo* b = nullptr;
  const ModuleInfo& any() const { return a ? *a : *b; }
  /// Its records, if it has some that can be read.
  static bool has_records(const ModuleInfo* info) {
    return info && info->length > 0 && info->status == ModuleStatus::readable;
  }
};
/// By ascending id.
std::vector<ModulePair> module_pairs(const util_text::Source& a, const util_text::Source& b);

/// Job, metadata and mounts; with darshan-diff's rules what it compares of them.
void compare_jobs(Comparison& comparison);
/// Names that an id has in both logs.
void compare_names(Comparison& comparison);
/// Flags, and the bytes of what cannot be read.
void compare_module_facts(Comparison& comparison, const ModulePair& pair);
/// Traces.
void compare_traces(Comparison& comparison, const ModulePair& pair);

}  // namespace darrow::diffing
