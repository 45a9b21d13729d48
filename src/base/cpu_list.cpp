#include "base/cpu_list.hpp"

#include "base/units.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>

#ifdef __linux__
#include <sched.h>
#endif

namespace mpsbench::base {

std::optional<std::vector<int>> parse_cpu_list(std::string_view text) {
  const auto items = split_list(text);
  if (!items) return std::nullopt;
  std::set<int> cpus;
  std::int64_t count = 0;  // overlaps included, so that no list takes long
  for (const std::string& item : *items) {
    const std::size_t dash = item.find('-');
    const auto first = parse_whole_number(item.substr(0, dash));
    const auto last = dash == std::string::npos ? first : parse_whole_number(item.substr(dash + 1));
    if (!first || !last || *first > *last || *last >= kMostCpus) return std::nullopt;
    count += *last - *first + 1;
    if (count > kMostCpus) return std::nullopt;
    for (std::int64_t cpu = *first; cpu <= *last; ++cpu) cpus.insert(static_cast<int>(cpu));
  }
  return std::vector<int>(cpus.begin(), cpus.end());
}

std::string format_cpu_list(const std::vector<int>& cpus) {
  std::string text;
  for (std::size_t begin = 0; begin < cpus.size();) {
    std::size_t end = begin + 1;
    while (end < cpus.size() && cpus[end] == cpus[end - 1] + 1) ++end;
    text += (text.empty() ? "" : ",") + std::to_string(cpus[begin]);
    if (end - begin > 1) text += "-" + std::to_string(cpus[end - 1]);
    begin = end;
  }
  return text;
}

std::vector<int> allowed_cpus() {
  std::vector<int> cpus;
#ifdef __linux__
  std::array<cpu_set_t, kMostCpus / CPU_SETSIZE> sets{};  // the kernel refuses a set that is too small
  if (::sched_getaffinity(0, sizeof(sets), sets.data()) != 0) return cpus;
  for (std::size_t cpu = 0; cpu < kMostCpus; ++cpu) {
    if (CPU_ISSET(cpu % CPU_SETSIZE, &sets.at(cpu / CPU_SETSIZE))) cpus.push_back(static_cast<int>(cpu));
  }
#endif
  return cpus;
}

}  // namespace mpsbench::base
