#include "window.hpp"

#include <gtest/gtest.h>

namespace mpsbench::ops {
namespace {

TEST(OperationsPerWindow, HidesTheOverhead) {
  // An overhead of 10 us needs windows of 10 ms.
  const auto operations_of = [](double seconds) {
    return operations_per_window([=](std::int64_t count) { return static_cast<double>(count) * seconds; }, 1e-5);
  };
  EXPECT_EQ(operations_of(1.0), 1);
  EXPECT_EQ(operations_of(0.01), 1);
  EXPECT_EQ(operations_of(0.009), 2);
  EXPECT_EQ(operations_of(1e-5), 1024);
  EXPECT_EQ(operations_of(0), OpsWindowRule::kMostOperations);
}

TEST(OperationsPerWindow, ACostlessClockNeedsNone) {
  EXPECT_EQ(operations_per_window([](std::int64_t) { return 1e-9; }, 0), 1);
}

}  // namespace
}  // namespace mpsbench::ops
