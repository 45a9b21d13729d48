#include "suite/affinity.hpp"

#include "base/cpu_list.hpp"

#include <algorithm>

namespace mpsbench::suite {
namespace {

std::vector<int> cpus_of(const std::string& list) {
  return base::parse_cpu_list(list).value_or(std::vector<int>());
}

}  // namespace

std::string why_unusable(const std::string& list, const Cpus& cpus) {
  if (cpus.usable.empty()) return "this system cannot bind a program to CPUs; leave --affinity out";
  for (const int cpu : cpus_of(list)) {
    if (!std::binary_search(cpus.usable.begin(), cpus.usable.end(), cpu))
      return "CPU " + std::to_string(cpu) + " cannot be used here; choose from " +
             base::format_cpu_list(cpus.usable);
  }
  return "";
}

std::int64_t cores_of(const std::string& list, const Cpus& cpus) {
  return cpus.cores(cpus_of(list));
}

}  // namespace mpsbench::suite
