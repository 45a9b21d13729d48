#include "base/system_files.hpp"
#include "support/recorded_tree.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace mpsbench::base {

namespace {

using tests::RecordedTree;

// What groups of a process say, and what follows.
template <typename Answer>
struct Row {
  const char* what;
  const char* groups;                                      // of the process
  std::vector<std::pair<std::string, const char*>> files;  // in sys/fs/cgroup
  std::optional<Answer> answer;
};

template <typename Answer, typename Ask>
void expect_answers(Ask ask, const std::vector<Row<Answer>>& rows) {
  EXPECT_EQ(ask(RecordedTree().root()), std::nullopt) << "without control groups";
  for (const Row<Answer>& row : rows) {
    const RecordedTree tree;
    tree.add("proc/self/cgroup", std::string(row.groups) + "\n");
    for (const auto& [path, text] : row.files) tree.add("sys/fs/cgroup/" + path, std::string(text) + "\n");
    EXPECT_EQ(ask(tree.root()), row.answer) << row.what;
  }
}

TEST(Cgroup, LimitsTheCpu) {
  expect_answers<double>(
      cpu_quota,
      {{"no quota", "0::/", {{"cpu.max", "max 100000"}}, std::nullopt},
       {"the least of the groups around",
        "0::/user.slice/app",
        {{"cpu.max", "max 100000"},
         {"user.slice/cpu.max", "250000 100000"},
         {"user.slice/app/cpu.max", "800000 100000"}},
        2.5},
       {"a container sees its group as the root", "0::/../../docker/abc", {{"cpu.max", "150000 100000"}}, 1.5},
       {"version 1 without a quota",
        "9:name=systemd:/\n4:cpu,cpuacct:/docker/abc\n2:cpuset:/\n0::/",
        {{"cpu/cpu.cfs_quota_us", "-1"}, {"cpu/cpu.cfs_period_us", "100000"}},
        std::nullopt},
       {"version 1",
        "9:name=systemd:/\n4:cpu,cpuacct:/docker/abc\n2:cpuset:/\n0::/",
        {{"cpu/cpu.cfs_quota_us", "-1"},
         {"cpu/cpu.cfs_period_us", "100000"},
         {"cpu/docker/abc/cpu.cfs_quota_us", "400000"},
         {"cpu/docker/abc/cpu.cfs_period_us", "100000"}},
        4}});
}

TEST(Cgroup, CountsPausesOfAllNestedQuotas) {
  const std::pair<std::string, const char*> around{"cpu.stat", "usage_usec 9\nnr_periods 9\nnr_throttled 100"};
  expect_answers<std::int64_t>(cpu_quota_pauses,
                               {{"no quota", "0::/pod/app/worker", {around}, std::nullopt},
                                {"no pause yet", "0::/pod/app/worker", {around, {"pod/cpu.max", "250000 100000"}}, 0},
                                {"two of three groups have a quota",
                                 "0::/pod/app/worker",
                                 {around,
                                  {"pod/cpu.max", "250000 100000"},
                                  {"pod/cpu.stat", "usage_usec 12\nnr_periods 20\nnr_throttled 3\nthrottled_usec 5"},
                                  {"pod/app/cpu.max", "max 100000"},
                                  {"pod/app/cpu.stat", "nr_periods 0\nnr_throttled 50"},
                                  {"pod/app/worker/cpu.max", "50000 100000"},
                                  {"pod/app/worker/cpu.stat", "nr_periods 9\nnr_throttled 4"}},
                                 7},
                                {"version 1",
                                 "4:cpu,cpuacct:/docker/abc",
                                 {{"cpu/docker/abc/cpu.cfs_quota_us", "50000"},
                                  {"cpu/docker/abc/cpu.cfs_period_us", "100000"},
                                  {"cpu/docker/abc/cpu.stat", "nr_periods 20\nnr_throttled 11\nthrottled_time 700"}},
                                 11}});
}

TEST(Cgroup, LimitsTheMemory) {
  expect_answers<std::int64_t>(
      cgroup_free_bytes, {{"no limit", "0::/", {{"memory.max", "max"}, {"memory.current", "5000"}}, std::nullopt},
                          {"what can be dropped does not count",
                           "0::/",
                           {{"memory.max", "10000"},
                            {"memory.current", "9000"},
                            {"memory.stat", "anon 1000\ninactive_file 7000\nactive_file 500"}},
                           8000},
                          {"the least of the groups around",
                           "0::/user.slice/job",
                           {{"user.slice/memory.max", "4000"},
                            {"user.slice/memory.current", "3000"},
                            {"user.slice/job/memory.max", "9000"},
                            {"user.slice/job/memory.current", "100"}},
                           1000},
                          {"version 1",
                           "7:cpu,cpuacct:/docker/x\n4:memory:/docker/x\n0::/",
                           {{"memory/docker/x/memory.limit_in_bytes", "5000"},
                            {"memory/docker/x/memory.usage_in_bytes", "3000"},
                            {"memory/docker/x/memory.stat", "total_inactive_file 500"}},
                           2500},
                          {"never below nothing", "0::/", {{"memory.max", "1000"}, {"memory.current", "1500"}}, 0}});
}

}  // namespace

}  // namespace mpsbench::base
