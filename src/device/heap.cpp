#include "device/heap.hpp"

#include <algorithm>
#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace mpsbench::device {

#ifdef __GLIBC__

void keep_freed_memory() {
  constexpr const char* kSettings[] = {"MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_", "GLIBC_TUNABLES"};
  const auto is_set = [](const char* name) { return std::getenv(name) != nullptr; };
  if (std::ranges::any_of(kSettings, is_set)) return;
  constexpr int kLargestOnHeapBytes = 32 << 20;  // the most to which glibc raises its own threshold
  constexpr int kNeverTrim = -1;
  mallopt(M_MMAP_THRESHOLD, kLargestOnHeapBytes);
  mallopt(M_TRIM_THRESHOLD, kNeverTrim);
}

#else

void keep_freed_memory() {}

#endif

}  // namespace mpsbench::device
