#include "supervise/machine_state.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <utility>

namespace mpsbench::supervise {
namespace {

TEST(CounterValue, FindsTheWholeKeyAtALinesBegin) {
  const char* events = "low 0\noom 4\noom_kill 3\noom_group_kill 2\n";
  EXPECT_EQ(counter_value(events, "oom_kill"), 3);
  EXPECT_EQ(counter_value("oom_kill_disable 1\nunder_oom 0\noom_kill 5", "oom_kill"), 5);
  EXPECT_EQ(counter_value("oom_kill_disable 1\n", "oom_kill"), 0);
  EXPECT_EQ(counter_value("", "oom_kill"), 0);
}

TEST(OtherCpuShare, IsWhatTheWorkerDidNotUse) {
  const double cores = static_cast<double>(::sysconf(_SC_NPROCESSORS_ONLN));
  const MachineState before{100.0, 0};
  const MachineState after{100.0 + cores, 0};  // each core was busy for one second of two
  EXPECT_DOUBLE_EQ(*other_cpu_share(before, after, 0, 2), 0.5);
  EXPECT_DOUBLE_EQ(*other_cpu_share(before, after, cores, 2), 0);
  EXPECT_DOUBLE_EQ(*other_cpu_share(before, after, 2 * cores, 2), 0);
  EXPECT_DOUBLE_EQ(*other_cpu_share({100.0, 0, 4}, {102.0, 0, 4}, 1, 1), 0.25) << "of the CPUs that count";
  EXPECT_FALSE(other_cpu_share({std::nullopt, 0}, {1.0, 0}, 0, 2)) << "no counters";
  EXPECT_FALSE(other_cpu_share({0.0, 0}, {1.0, 0}, 0, 0.1)) << "too short";
}

TEST(BusyTime, IsThatOfTheChosenCpus) {
  const std::string stat =
      "cpu  100 20 30 900 5 4 3 9 0 0\n"
      "cpu0 60 10 10 400 5 1 1 9 0 0\n"
      "cpu1 40 10 20 500 0 3 2 0 0 0\n"
      "cpu10 0 0 0 0 0 0 0 0 0 0\n"
      "intr 5 cpu1\n";
  const auto busy = [&](const std::vector<int>& cpus) {
    const MachineState found = busy_time(stat, cpus, 1);
    return std::pair(found.busy_cpu_seconds.value_or(-1), found.cpus);
  };
  EXPECT_EQ(busy({1}), std::pair(75.0, std::size_t{1}));
  EXPECT_EQ(busy({0, 10}), std::pair(82.0, std::size_t{2}));
  EXPECT_EQ(busy({0, 1, 10}), std::pair(157.0, std::size_t{0})) << "all";
  EXPECT_EQ(busy({}), std::pair(157.0, std::size_t{0})) << "not known";
  EXPECT_EQ(busy({1, 7}), std::pair(157.0, std::size_t{0})) << "7 is not there";
  for (const char* text : {"", "cpu  1 2"}) EXPECT_FALSE(busy_time(text, {0}, 100).busy_cpu_seconds);
}

TEST(ReadMachineState, BusyTimeGrowsWithOurOwnWork) {
  const MachineState before = read_machine_state();
  ASSERT_TRUE(before.busy_cpu_seconds);
  EXPECT_GT(*before.busy_cpu_seconds, 0);
  EXPECT_GE(read_machine_state().busy_cpu_seconds, before.busy_cpu_seconds);
}

}  // namespace
}  // namespace mpsbench::supervise
