#include "base/process_memory.hpp"

#include "base/system_files.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

#ifdef __APPLE__
#include <mach/mach.h>
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace mpsbench::base {
namespace {

#ifndef __APPLE__
// Reads a line such as "VmHWM:   1234 kB" from the kernel's file PATH. WANTED is the key with its colon.
// Returns nullopt if the line is missing.
std::optional<std::int64_t> read_kib(const char* path, const std::string& wanted) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string key;
    std::int64_t kib = 0;
    if (words >> key >> kib && key == wanted) return kib * 1024;
  }
  return std::nullopt;
}
#endif

}  // namespace

std::int64_t peak_resident_bytes() {
#ifndef __APPLE__
  // getrusage's peak would include that of the process that started this one.
  if (const auto peak = read_kib("/proc/self/status", "VmHWM:")) return *peak;
#endif
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
  return usage.ru_maxrss;
#else
  return static_cast<std::int64_t>(usage.ru_maxrss) * 1024;
#endif
}

#ifdef __APPLE__

void reset_peak_resident() {}

std::optional<std::int64_t> private_bytes() {
  task_vm_info_data_t info{};
  mach_msg_type_number_t count = TASK_VM_INFO_COUNT;
  if (task_info(mach_task_self(), TASK_VM_INFO, reinterpret_cast<task_info_t>(&info), &count) != KERN_SUCCESS)
    return std::nullopt;
  return static_cast<std::int64_t>(info.phys_footprint);
}

std::optional<std::int64_t> free_memory_bytes() {
  return std::nullopt;
}
void limit_memory(std::int64_t /*processes*/) {}

#else

void reset_peak_resident() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  constexpr int kResetPeak = 5;  // proc(5), clear_refs
  if (std::ofstream file("/proc/self/clear_refs"); file) file << kResetPeak;
}

std::optional<std::int64_t> private_bytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t size = 0;
  std::int64_t resident = 0;
  std::int64_t shared = 0;
  if (!(file >> size >> resident >> shared)) return std::nullopt;
  return (resident - shared) * sysconf(_SC_PAGESIZE);
}

std::optional<std::int64_t> free_memory_bytes() {
  const auto free = read_kib("/proc/meminfo", "MemAvailable:");
  const auto group = cgroup_free_bytes();
  return free && group ? std::min(*free, *group) : (free ? free : group);
}

void limit_memory(std::int64_t processes) {
  if (std::ofstream file("/proc/self/oom_score_adj"); file) file << 1000;
  const auto free_bytes = free_memory_bytes();
  if (!free_bytes) return;
  rlimit limit{};
  if (getrlimit(RLIMIT_DATA, &limit) != 0) return;
  constexpr double kShare = 0.9;
  const double share = kShare / static_cast<double>(processes);
  const auto wanted = static_cast<rlim_t>(share * static_cast<double>(*free_bytes));
  limit.rlim_cur = std::min(wanted, limit.rlim_max);
  setrlimit(RLIMIT_DATA, &limit);
}

#endif

}  // namespace mpsbench::base
