#include "device/memory.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace mpsbench::device {
namespace {

#ifndef __APPLE__
// The number in the only line of a cgroup file; nullopt for "max" and files that are not there.
std::optional<std::int64_t> read_number(const std::string& path) {
  std::ifstream file(path);
  std::int64_t value = 0;
  return file >> value ? std::optional(value) : std::nullopt;
}

std::optional<std::int64_t> cgroup_free_bytes() {
  const auto limit = read_number("/sys/fs/cgroup/memory.max");
  const auto used = read_number("/sys/fs/cgroup/memory.current");
  if (!limit || !used) return std::nullopt;
  return std::max<std::int64_t>(0, *limit - *used);
}
#endif

}  // namespace

std::int64_t peak_resident_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
  return usage.ru_maxrss;
#else
  return static_cast<std::int64_t>(usage.ru_maxrss) * 1024;
#endif
}

#ifdef __APPLE__

std::optional<std::int64_t> free_memory_bytes() {
  return std::nullopt;
}
void limit_memory() {}

#else

std::optional<std::int64_t> free_memory_bytes() {
  std::ifstream file("/proc/meminfo");
  std::string key;
  for (std::int64_t kib = 0; file >> key >> kib; file.ignore(16, '\n')) {
    if (key != "MemAvailable:") continue;
    return std::min(kib * 1024, cgroup_free_bytes().value_or(kib * 1024));
  }
  return std::nullopt;
}

void limit_memory() {
  if (std::ofstream file("/proc/self/oom_score_adj"); file) file << 1000;
  const auto free_bytes = free_memory_bytes();
  if (!free_bytes) return;
  rlimit limit{};
  if (getrlimit(RLIMIT_DATA, &limit) != 0) return;
  constexpr double kShare = 0.9;
  const auto wanted = static_cast<rlim_t>(kShare * static_cast<double>(*free_bytes));
  limit.rlim_cur = std::min(wanted, limit.rlim_max);
  setrlimit(RLIMIT_DATA, &limit);
}

#endif

}  // namespace mpsbench::device
