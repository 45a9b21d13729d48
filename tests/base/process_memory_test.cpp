#include "base/process_memory.hpp"

#include <gtest/gtest.h>

#include <string>

namespace mpsbench::base {
namespace {

TEST(ProcessMemory, ThePeakStaysWhenMemoryIsGivenBack) {
  const std::int64_t before = peak_resident_bytes();
  constexpr std::size_t kBytes = 64U << 20U;
  {
    const std::string touched(kBytes, 'x');
  }
  EXPECT_GE(peak_resident_bytes(), before);
  EXPECT_GT(peak_resident_bytes(), static_cast<std::int64_t>(kBytes));
}

TEST(ProcessMemory, WhatIsKeptIsPrivate) {
  const std::int64_t before = private_bytes().value();
  constexpr std::size_t kBytes = 64U << 20U;
  const std::string kept(kBytes, 'x');
  const std::int64_t after = private_bytes().value();
  EXPECT_EQ(kept.find_first_not_of('x'), std::string::npos);  // otherwise the compiler removes the string
  EXPECT_NEAR(static_cast<double>(after - before), kBytes, 0.05 * kBytes);
}

#ifdef __linux__
TEST(ProcessMemory, SomeIsFree) {
  ASSERT_TRUE(free_memory_bytes().has_value());
  EXPECT_GT(free_memory_bytes().value(), 0);
}
#endif

}  // namespace
}  // namespace mpsbench::base
