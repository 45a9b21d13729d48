#include "suite/settings.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace mpsbench::suite {
namespace {

TEST(Setting, IsAbsentUntilSet) {
  Setting<std::int64_t> seed{"seed"};
  EXPECT_FALSE(seed.has() || seed.is_on_command_line() || seed.optional());
  EXPECT_EQ(seed.value_or(3), 3);
  EXPECT_THROW((void)seed.value(), std::bad_optional_access);
  EXPECT_EQ(seed.name(), "seed");
  EXPECT_EQ(seed.origin(), "--seed");
}

TEST(Setting, RemembersWhereItWasSet) {
  Setting<std::int64_t> seed{"seed"};
  seed.set(7, "s.json: $.seed");
  EXPECT_TRUE(seed.has());
  EXPECT_FALSE(seed.is_on_command_line());
  EXPECT_EQ(seed.value_or(3), 7);
  EXPECT_STREQ(seed.error("is odd").what(), "s.json: $.seed: is odd");
  seed.set(8, "--seed");
  EXPECT_TRUE(seed.is_on_command_line());
}

TEST(Setting, CanBeTakenAway) {
  Setting<std::int64_t> seed{"seed"};
  seed.set(7, "s.json: $.seed");
  seed.clear();
  EXPECT_FALSE(seed.has() || seed.optional());
  EXPECT_STREQ(seed.error("is missing").what(), "--seed: is missing");
}

TEST(Setting, OfAFlagIsOnOnlyWhereItIsTrue) {
  Setting<bool> strict{"strict"};
  EXPECT_FALSE(strict.is_on());
  strict.set(false, "--strict");
  EXPECT_TRUE(strict.has());
  EXPECT_FALSE(strict.is_on());
  strict.set(true, "--strict");
  EXPECT_TRUE(strict.is_on());
}

}  // namespace
}  // namespace mpsbench::suite
