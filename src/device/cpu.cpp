#include "device/cpu.hpp"

#include "base/system_files.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

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

// The loop over the tensor is LibTorch's own, so its threads are those of its operations. at::parallel_for()
// is inline, and this program is compiled without OpenMP.
schema::WorkingThreads count_working_threads() {
  std::mutex mutex;
  std::set<std::thread::id> threads;
  std::set<int> cpus;
  at::Tensor elements = at::zeros({at::get_num_threads()});  // one for each thread
  at::TensorIterator iterator = at::TensorIterator::nullary_op(elements);
  const auto note_thread = [&](char** /*data*/, const std::int64_t* /*strides*/, std::int64_t /*size*/,
                               std::int64_t /*outer_size*/) {
    const std::vector<int> own = base::allowed_cpus();
    const std::scoped_lock lock(mutex);
    threads.insert(std::this_thread::get_id());
    cpus.insert(own.begin(), own.end());
  };
  iterator.for_each(note_thread, 1);
  return {std::ssize(threads), base::format_cpu_list({cpus.begin(), cpus.end()})};
}

}  // namespace mpsbench::device
