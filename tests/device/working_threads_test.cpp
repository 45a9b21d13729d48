#include "device/working_threads.hpp"

#include "base/cpu_list.hpp"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

namespace mpsbench::device {
namespace {

TEST(WorkingThreads, AreAsManyAsLibtorchUses) {
  const int before = at::get_num_threads();
  for (const int threads : {1, 2, 3}) {
    at::set_num_threads(threads);
    const schema::WorkingThreads working = count_working_threads();
    EXPECT_EQ(working.count, threads);
    EXPECT_EQ(working.cpus, base::format_cpu_list(base::allowed_cpus()));  // nothing binds them
  }
  at::set_num_threads(before);
}

}  // namespace
}  // namespace mpsbench::device
