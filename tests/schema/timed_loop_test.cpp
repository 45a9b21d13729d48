#include "schema/timed_loop.hpp"

#include <gtest/gtest.h>

namespace mpsbench::schema {
namespace {

TEST(TimedLoop, DiffersFromAnyNetwork) {
  EXPECT_TRUE(is_timed_loop(timed_loop_definition("mine")));
  EXPECT_FALSE(is_timed_loop({{"name", "mine"}, {"layers", nlohmann::json::array()}}));
  EXPECT_FALSE(is_timed_loop(nullptr));
}

}  // namespace
}  // namespace mpsbench::schema
