#include "supervise/calm.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <cstddef>

namespace mpsbench::supervise {
namespace {

TEST(Unrest, IsLoadOrAFallingTemperature) {
  EXPECT_EQ(unrest({}, {}), "");
  EXPECT_EQ(unrest({}, {0.04, {}, {}}), "");
  EXPECT_EQ(unrest({}, {0.43, {}, {}}), "other programs use 43 % of the CPU");
  EXPECT_EQ(unrest({{}, 73, {}}, {0, 71.2, {}}), "the CPU still cools down (71 °C)");
  EXPECT_EQ(unrest({{}, {}, 60}, {{}, {}, 55}), "the GPU still cools down (55 °C)");
  EXPECT_EQ(unrest({{}, 71, 50}, {0, 70.5, 58}), "");  // a rise is no reason to wait
}

TEST(WaitForCalm, EndsWhenReadingsAreCalm) {
  Interrupt interrupt;
  std::size_t readings = 0;
  const auto read = [&readings] { return CalmReading{++readings < 4 ? 0.5 : 0.01, {}, {}}; };
  EXPECT_FALSE(wait_for_calm(read, interrupt, {1e-3, 60}));
  EXPECT_EQ(readings, 4U);
}

TEST(WaitForCalm, IsBounded) {
  Interrupt interrupt;
  std::size_t readings = 0;
  const auto read = [&readings] {
    ++readings;
    return CalmReading{1, {}, {}};
  };
  EXPECT_FALSE(wait_for_calm(read, interrupt, {1e-3, 0.01}));
  EXPECT_GE(readings, 10U);
}

TEST(WaitForCalm, DoesNotSayThatItGoesOnWhereTheRunEnds) {
  const auto said = [](bool ends_run) {
    Interrupt interrupt;
    testing::internal::CaptureStderr();
    EXPECT_FALSE(wait_for_calm([] { return CalmReading{1, {}, {}}; }, interrupt, {1e-3, 0.002, ends_run}));
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_NE(said(false).find("--cooldown auto: goes on after 2.00 ms, but other"), std::string::npos);
  EXPECT_NE(said(true).find("--cooldown auto: waited for 2.00 ms, until the time limit, but other"),
            std::string::npos);
}

TEST(WaitForCalm, AnInterruptEndsIt) {
  Interrupt interrupt;
  ::raise(SIGINT);
  EXPECT_TRUE(wait_for_calm([] { return CalmReading{1, {}, {}}; }, interrupt));
}

TEST(CalmReader, ReadsThisMachine) {
  const auto read = calm_reader(schema::DeviceId(schema::DeviceKind::cpu));
  (void)read();
  const CalmReading reading = read();
  EXPECT_FALSE(reading.gpu_celsius);
}

}  // namespace
}  // namespace mpsbench::supervise
