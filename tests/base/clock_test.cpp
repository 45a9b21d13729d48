#include "base/clock.hpp"

#include <gtest/gtest.h>

#include <regex>

namespace mpsbench::base {
namespace {

TEST(Clock, NeverRunsBackwards) {
  double last = steady_seconds();
  for (int i = 0; i < 1000; ++i) {
    const double now = steady_seconds();
    ASSERT_GE(now, last);
    last = now;
  }
}

TEST(Clock, TellsTimesAsDocumented) {
  EXPECT_TRUE(std::regex_match(utc_timestamp(), std::regex(R"(20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-6]\dZ)")))
      << utc_timestamp();
  EXPECT_TRUE(std::regex_match(local_file_timestamp(), std::regex(R"(20\d\d-[01]\d-[0-3]\dT[0-2]\d[0-5]\d[0-6]\d)")))
      << local_file_timestamp();
}

}  // namespace
}  // namespace mpsbench::base
