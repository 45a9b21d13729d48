#include "report/metrics/thread_shortfall.hpp"

#include <gtest/gtest.h>

#include <string>

namespace mpsbench::report {
namespace {

// Returns "WHAT; CURE", or an empty text if nothing is missing.
std::string told(const ThreadsAtWork& threads, const std::map<std::string, std::string>& environment = {},
                 std::size_t allowed = 4) {
  const auto shortfall = thread_shortfall(threads, environment, allowed);
  return shortfall ? shortfall->what + "; " + shortfall->cure : "";
}

TEST(ThreadShortfall, NothingIsMissing) {
  EXPECT_EQ(told({2, 2, {0, 1}}), "");
  EXPECT_EQ(told({2, 2, {0, 1, 2, 3}}), "");
  EXPECT_EQ(told({2, 2, {}}), "");                                   // the system does not say
  EXPECT_EQ(told({8, 8, {0, 1, 2, 3}}), "");                         // as many as there are
  EXPECT_EQ(told({2, 2, {0}}, {{"OMP_PROC_BIND", "true"}}, 1), "");  // the process itself has only one
}

TEST(ThreadShortfall, ThreadsThatShareACpu) {
  EXPECT_EQ(told({2, 2, {0}}, {{"GOMP_CPU_AFFINITY", "0"}}),
            "2 threads work on 1 CPU (GOMP_CPU_AFFINITY=0); unset GOMP_CPU_AFFINITY, or use --threads 1");
  EXPECT_EQ(told({4, 4, {0, 1}}, {{"OMP_PLACES", "{0},{1}"}, {"OMP_PROC_BIND", "close"}, {"OMP_DYNAMIC", "true"}}),
            "4 threads work on 2 CPUs (OMP_PROC_BIND=close, OMP_PLACES={0},{1}); unset OMP_PROC_BIND and "
            "OMP_PLACES, or use --threads 2");
  EXPECT_EQ(told({2, 2, {3}}, {{"OMP_PROC_BIND", "false"}}),
            "2 threads work on 1 CPU; look for what limits this program's threads or CPUs (taskset, cpuset, ulimit "
            "-u), or use --threads 1");
}

TEST(ThreadShortfall, ThreadsThatAreNotThere) {
  EXPECT_EQ(told({2, 1, {0, 1}}, {{"OMP_THREAD_LIMIT", "1"}, {"OMP_PLACES", "cores"}}),
            "only 1 of 2 threads work (OMP_THREAD_LIMIT=1); unset OMP_THREAD_LIMIT, or use --threads 1");
  EXPECT_EQ(told({4, 2, {1}}, {{"OMP_THREAD_LIMIT", "2"}, {"GOMP_CPU_AFFINITY", "1"}}),
            "only 2 of 4 threads work on 1 CPU (OMP_THREAD_LIMIT=2, GOMP_CPU_AFFINITY=1); unset OMP_THREAD_LIMIT "
            "and GOMP_CPU_AFFINITY, or use --threads 1");
}

TEST(ThreadShortfall, RanksThatShareACpu) {
  schema::CaseSpec spec;
  spec.threads = 1;
  schema::HostInfo host;
  host.environment = {{"GOMP_CPU_AFFINITY", "0"}};
  schema::Launch launch;
  launch.working_threads = schema::WorkingThreads{1, "0"};
  EXPECT_FALSE(thread_shortfall(spec, launch, host, 2));
  launch.ranks.resize(2);
  for (schema::RankResult& rank : launch.ranks) rank.working_threads = launch.working_threads;
  const auto shared = thread_shortfall(spec, launch, host, 2);
  ASSERT_TRUE(shared);
  EXPECT_EQ(shared->what, "2 threads work on 1 CPU (GOMP_CPU_AFFINITY=0)");
  EXPECT_EQ(shared->cure, "unset GOMP_CPU_AFFINITY");
  launch.ranks[1].working_threads->cpus = "1";
  EXPECT_FALSE(thread_shortfall(spec, launch, host, 2));
  launch.ranks[1].working_threads->cpus = "0";
  launch.ranks[1].host = "another";
  EXPECT_FALSE(thread_shortfall(spec, launch, host, 2));
}

TEST(ThreadShortfall, AnAffinityIsAsAllowed) {
  schema::CaseSpec spec;
  spec.threads = 2;
  spec.affinity = "0-1";
  schema::Launch launch;
  launch.working_threads = schema::WorkingThreads{2, "0"};
  EXPECT_TRUE(thread_shortfall(spec, launch, {}, 1));
  spec.affinity = "0";
  EXPECT_FALSE(thread_shortfall(spec, launch, {}, 4));  // the plan has said so
  launch.working_threads.reset();
  spec.affinity.reset();
  EXPECT_FALSE(thread_shortfall(spec, launch, {}, 4));
}

}  // namespace
}  // namespace mpsbench::report
