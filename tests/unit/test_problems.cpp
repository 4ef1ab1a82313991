// What kinds of problems tell: loss, damage.
#include <gtest/gtest.h>

#include <vector>

#include "darrow/problem.hpp"

namespace {

using namespace darrow;
using enum ProblemKind;

TEST(Problems, DamageIsAnErrorOfWhatIsStored) {
  std::vector<ProblemKind> whole;
  for (int k = 0; k <= static_cast<int>(records_repeated); ++k) {
    const auto kind = static_cast<ProblemKind>(k);
    if (is_damage(kind)) EXPECT_EQ(severity_of(kind), Severity::error) << to_string(kind);
    else if (severity_of(kind) == Severity::error) whole.push_back(kind);
  }
  EXPECT_EQ(whole, (std::vector{module_version, name_left_out, module_left_out}));
}

TEST(Problems, ModulesAreDamagedByTheirOwnProblems) {
  auto problem = [](ProblemKind kind, std::string module) {
    return Problem{.kind = kind, .region = module, .module = module, .offset = {}, .count = {}, .message = {}};
  };
  const std::vector problems{problem(module_version, "POSIX"), problem(trailing_bytes, "STDIO"),
                             problem(module_partial, "H5F")};
  EXPECT_FALSE(is_damaged(problems, "POSIX"));
  EXPECT_TRUE(is_damaged(problems, "STDIO"));
  EXPECT_FALSE(is_damaged(problems, "H5F"));
  EXPECT_FALSE(is_damaged({}, "STDIO"));
}

}  // namespace
