#include "device/cpu.hpp"

#include "base/system_files.hpp"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <memory>

#ifdef __GLIBC__
#include <sys/prctl.h>
#include <sys/resource.h>
#endif

namespace mpsbench::device {

namespace {

#ifdef __GLIBC__
constexpr std::size_t kBlockBytes = 20U << 20U;

// Allocates, writes and frees a step's tensors.
void use_blocks() {
  std::unique_ptr<void, decltype(&std::free)> blocks[] = {{std::malloc(kBlockBytes), std::free},
                                                          {std::malloc(kBlockBytes), std::free},
                                                          {std::malloc(kBlockBytes), std::free}};
  for (const auto& block : blocks) std::memset(block.get(), 1, kBlockBytes);
}

long page_faults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

constexpr const char* kSettings[] = {"MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_", "GLIBC_TUNABLES"};

// Ends this process with 0 if later steps reuse the memory of the first ones, and with 1 if the kernel must
// supply it again. If SETTING is given, it is the only variable set, as a user might.
[[noreturn]] void exit_with_verdict(const char* setting) {
  constexpr long kFewFaults = 1000;  // a step that gets new memory has 15,360
  prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
  for (const char* name : kSettings) unsetenv(name);
  if (setting != nullptr) setenv(setting, "", 1);
  keep_freed_memory();
  for (int i = 0; i < 3; ++i) use_blocks();
  const long before = page_faults();
  for (int i = 0; i < 3; ++i) use_blocks();
  std::_Exit(page_faults() - before < kFewFaults ? 0 : 1);
}

TEST(Heap, FreedMemoryStays) {
  EXPECT_EXIT(exit_with_verdict(nullptr), ::testing::ExitedWithCode(0), "");
}

TEST(Heap, IsLeftAloneWhereTheUserHasSetIt) {
  for (const char* name : kSettings) EXPECT_EXIT(exit_with_verdict(name), ::testing::ExitedWithCode(1), "") << name;
}
#endif

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
