#include "suite/host.hpp"

#include <gtest/gtest.h>

namespace mpsbench::suite {
namespace {

const Cpus kCpus{{0, 1, 5}, [](const std::vector<int>& cpus) { return std::ssize(cpus); }};

TEST(Affinity, NeedsCpusThatThisProcessMayUse) {
  EXPECT_EQ(why_unusable("0-1,5", kCpus), "");
  EXPECT_EQ(why_unusable("1-3", kCpus), "CPU 2 cannot be used here; choose from 0-1,5");
}

TEST(Affinity, NeedsASystemThatHasIt) {
  EXPECT_EQ(why_unusable("0", {{}, kCpus.cores}), "this system cannot bind a program to CPUs; leave --affinity out");
}

TEST(Affinity, HasTheCoresOfItsCpus) {
  EXPECT_EQ(cores_of("0,5", kCpus), 2);
}

}  // namespace
}  // namespace mpsbench::suite
