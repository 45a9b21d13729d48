#include "measure/live_memory.hpp"

#include <gtest/gtest.h>

namespace mpsbench::measure {
namespace {

TEST(LiveMemoryLog, KeepsEveryReadingOfAShortLaunch) {
  std::vector<schema::LiveBytes> readings;
  std::int64_t bytes = 100;
  LiveMemoryLog log([&] { return std::optional(bytes += 10); }, readings);
  for (int i = 0; i < 3; ++i) log.after_window(5);
  ASSERT_EQ(readings.size(), 3U);
  EXPECT_EQ(readings[0].step, 5);
  EXPECT_EQ(readings[2].step, 15);
  EXPECT_EQ(readings[2].bytes, 130);
}

TEST(LiveMemoryLog, SpreadsTheReadingsOfALongOneEvenly) {
  std::vector<schema::LiveBytes> readings;
  std::size_t reads = 0;
  LiveMemoryLog log([&] { return std::optional<std::int64_t>(++reads); }, readings);
  constexpr int kWindows = 4000;
  for (int i = 0; i < kWindows; ++i) log.after_window(1);
  ASSERT_GT(readings.size(), LiveMemoryLog::kMost / 2);
  ASSERT_LE(readings.size(), LiveMemoryLog::kMost);
  EXPECT_LT(reads, 7 * LiveMemoryLog::kMost);
  const std::int64_t stride = readings[1].step - readings[0].step;
  for (std::size_t i = 1; i < readings.size(); ++i) EXPECT_EQ(readings[i].step - readings[i - 1].step, stride);
  EXPECT_EQ(readings[0].step, 1);
  EXPECT_GT(readings.back().step, kWindows - 2 * stride);
}

TEST(LiveMemoryLog, KeepsNothingWhereNothingIsTold) {
  std::vector<schema::LiveBytes> readings;
  LiveMemoryLog log([] { return std::optional<std::int64_t>(); }, readings);
  log.after_window(1);
  EXPECT_TRUE(readings.empty());
}

}  // namespace
}  // namespace mpsbench::measure
