#include "report/host/numa_nodes.hpp"

#include "base/cpu_list.hpp"
#include "base/system_file.hpp"
#include "base/units.hpp"

#include <algorithm>
#include <string>
#include <system_error>

namespace mpsbench::report {

std::vector<std::int64_t> numa_nodes(const std::filesystem::path& root, const std::vector<int>& cpus) {
  constexpr std::string_view kPrefix = "node";
  std::vector<std::int64_t> nodes;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(root / "sys/devices/system/node", error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kPrefix)) continue;
    const auto node = base::parse_whole_number(name.substr(kPrefix.size()));
    const auto own = base::parse_cpu_list(base::read_first_line(entry.path() / "cpulist"));
    if (node && own && std::ranges::find_first_of(cpus, *own) != cpus.end()) nodes.push_back(*node);
  }
  std::ranges::sort(nodes);
  return nodes;
}

}  // namespace mpsbench::report
