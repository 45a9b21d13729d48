#include "device/heap.hpp"

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

// A step's tensors: taken, written and given back.
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

// Ends this process: 0 when steps after the first ones find their memory still there, 1 when the kernel gives
// it anew. SETTING alone, if any, seems to be set by the user.
[[noreturn]] void exit_with_verdict(const char* setting) {
  constexpr long kFewFaults = 1000;  // of 15,360 a step
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
  for (const char* name : kSettings)
    EXPECT_EXIT(exit_with_verdict(name), ::testing::ExitedWithCode(1), "") << name;
}
#endif

}  // namespace
}  // namespace mpsbench::device
