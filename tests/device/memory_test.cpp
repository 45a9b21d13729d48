#include "device/memory.hpp"

#include <gtest/gtest.h>

#include <string>

namespace mpsbench::device {
namespace {

TEST(Memory, ThePeakStaysWhenMemoryIsGivenBack) {
  const std::int64_t before = peak_resident_bytes();
  constexpr std::size_t kBytes = 64U << 20U;
  {
    const std::string touched(kBytes, 'x');
  }
  EXPECT_GE(peak_resident_bytes(), before);
  EXPECT_GT(peak_resident_bytes(), static_cast<std::int64_t>(kBytes));
}

#ifdef __linux__
TEST(Memory, SomeIsFree) {
  ASSERT_TRUE(free_memory_bytes().has_value());
  EXPECT_GT(free_memory_bytes().value(), 0);
}
#endif

}  // namespace
}  // namespace mpsbench::device
