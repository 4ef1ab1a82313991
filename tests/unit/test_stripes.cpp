// The Lustre targets of an access.
#include <gtest/gtest.h>

#include "text/stripes.hpp"

namespace darrow::util_text {
namespace {

using Targets = std::vector<std::int64_t>;

Targets of(const Stripes& stripes, std::int64_t offset, std::int64_t length, bool never_reset = false) {
  Targets targets;
  targets_of(stripes, offset, length, never_reset, targets);
  return targets;
}

const Stripes plain{{.stripe_size = 100, .stripe_count = 3, .targets = {7, 8, 9}}};
const Stripes progressive{
    {.stripe_size = 100, .stripe_count = 1, .begin = 0, .end = 100, .targets = {1}},
    {.stripe_size = 100, .stripe_count = 2, .begin = 100, .end = 500, .targets = {2, 3}},
    {.stripe_size = 200, .stripe_count = 3, .begin = 500, .end = -1, .targets = {4, 5, 6}},
};

TEST(Stripes, OneComponent) {
  EXPECT_EQ(of(plain, 0, 1), (Targets{7}));
  EXPECT_EQ(of(plain, 99, 2), (Targets{7, 8}));
  EXPECT_EQ(of(plain, 250, 100), (Targets{9, 7}));
  EXPECT_EQ(of(plain, 250, 10000), (Targets{9, 7, 8}));  // each once
  EXPECT_EQ(of(plain, 250, 0), Targets{});
}

TEST(Stripes, SeveralComponents) {
  EXPECT_EQ(of(progressive, 0, 100), (Targets{1}));
  EXPECT_EQ(of(progressive, 50, 100), (Targets{1, 2}));
  EXPECT_EQ(of(progressive, 0, 1000), (Targets{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(of(progressive, 450, 100), (Targets{3, 4}));
  EXPECT_EQ(of(progressive, 700, INT64_MAX), (Targets{5, 6, 4}));
}

// The first 64 KiB in the metadata target, as small files have them; and a hole in a layout.
TEST(Stripes, BehindAPartWithoutTargets) {
  const Stripes on_metadata{
      {.stripe_size = 65536, .stripe_count = 0, .begin = 0, .end = 65536, .targets = {}},
      {.stripe_size = 1 << 20, .stripe_count = 2, .begin = 65536, .end = -1, .targets = {11, 12}}};
  EXPECT_EQ(of(on_metadata, 0, 65536), Targets{});
  EXPECT_EQ(of(on_metadata, 0, 65537), (Targets{11}));
  EXPECT_EQ(of(on_metadata, 0, 200000), (Targets{11}));
  EXPECT_EQ(of(on_metadata, 1000, 2 << 20), (Targets{11, 12}));
  EXPECT_EQ(of(on_metadata, 0, 200000, true), Targets{}) << "as upstream has it";
}

// B40: the targets of all components are counted together, against the stripe count of each.
TEST(Stripes, UpstreamStopsTooEarly) {
  EXPECT_EQ(of(progressive, 0, 1000, true), (Targets{1, 2, 4}));
  EXPECT_EQ(of(progressive, 450, 100, true), (Targets{3, 4}));
  EXPECT_EQ(of(plain, 250, 10000, true), (Targets{9, 7, 8}));
}

TEST(Stripes, WhatCannotBe) {
  EXPECT_EQ(of({}, 0, 100), Targets{});
  EXPECT_EQ(of({{.stripe_size = 0, .stripe_count = 1, .targets = {1}}}, 0, 100), Targets{});
  EXPECT_EQ(of({{.stripe_size = 100, .stripe_count = 0, .targets = {}}}, 0, 100), Targets{});
  EXPECT_EQ(of({{.stripe_size = 100, .stripe_count = 4, .targets = {1, 2}}}, 0, 1000), (Targets{1, 2}));
  EXPECT_EQ(of(plain, -50, 100), Targets{});
  EXPECT_EQ(of({{.stripe_size = INT64_MAX, .stripe_count = 2, .targets = {1, 2}}}, INT64_MAX - 1, INT64_MAX),
            (Targets{1}));
}

}  // namespace
}  // namespace darrow::util_text
