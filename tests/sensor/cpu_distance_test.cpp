#include "sensor/cpu_distance.hpp"

#include "base/system_files.hpp"

#include <gtest/gtest.h>

namespace mpsbench::sensor {
namespace {

TEST(CpuDistance, NeedsTwoCpus) {
  EXPECT_FALSE(cpu_distance_seconds({}));
  EXPECT_FALSE(cpu_distance_seconds({0}));
}

TEST(CpuDistance, IsTheWayOfACacheLine) {
  const std::vector<int> before = base::allowed_cpus();
  const auto seconds = cpu_distance_seconds(before);
  EXPECT_EQ(base::allowed_cpus(), before);
  if (!seconds) return;  // one CPU, another system, or other programs keep the CPUs busy
  EXPECT_GT(*seconds, 1e-9);
  EXPECT_LT(*seconds, 1e-4);
}

TEST(CpuDistance, IsNotKnownOfCpusThatCannotBeUsed) {
  EXPECT_FALSE(cpu_distance_seconds({base::kMostCpus - 2, base::kMostCpus - 1}));
}

}  // namespace
}  // namespace mpsbench::sensor
