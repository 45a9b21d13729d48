#include "base/cgroup_cpu.hpp"

#include "base/system_file.hpp"
#include "base/units.hpp"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace mpsbench::base {
namespace {

namespace fs = std::filesystem;

struct Group {
  fs::path folder;
  bool is_version_2;
};

bool names_cpu(const std::string& controllers) {
  const auto names = split_list(controllers);
  return names && std::find(names->begin(), names->end(), "cpu") != names->end();
}

// Returns this process's groups that control the CPU, and the groups around them.
std::vector<Group> groups_of(const fs::path& root) {
  std::vector<Group> groups;
  std::istringstream lines(read_system_file(root / "proc/self/cgroup"));
  for (std::string line; std::getline(lines, line);) {
    // A line is "0::/path" (version 2) or "4:cpu,cpuacct:/path" (version 1).
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool is_version_2 = controllers.empty();
    if (!is_version_2 && !names_cpu(controllers)) continue;
    fs::path folder = root / (is_version_2 ? "sys/fs/cgroup" : "sys/fs/cgroup/cpu");
    groups.push_back({folder, is_version_2});
    for (const fs::path& part : fs::path(line.substr(second + 1)).relative_path()) {
      if (part == "..") break;  // the group is outside what this container can see
      groups.push_back({folder /= part, is_version_2});
    }
  }
  return groups;
}

std::optional<double> ratio(std::optional<double> quota, std::optional<double> period) {
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return *quota / *period;
}

std::optional<double> quota_of(const Group& group) {
  if (!group.is_version_2)
    return ratio(parse_number(read_first_line(group.folder / "cpu.cfs_quota_us")),
                 parse_number(read_first_line(group.folder / "cpu.cfs_period_us")));
  // Quota and period: "200000 100000" or "max 100000".
  const std::string line = read_first_line(group.folder / "cpu.max");
  const std::size_t blank = line.find(' ');
  if (blank == std::string::npos) return std::nullopt;
  return ratio(parse_number(line.substr(0, blank)), parse_number(line.substr(blank + 1)));
}

std::int64_t pauses_of(const Group& group) {
  std::istringstream lines(read_system_file(group.folder / "cpu.stat"));
  std::string key;
  for (std::int64_t value = 0; lines >> key >> value;) {
    if (key == "nr_throttled") return value;
  }
  return 0;
}

}  // namespace

std::optional<double> cpu_quota(const fs::path& root) {
  std::optional<double> least;
  for (const Group& group : groups_of(root)) {
    if (const auto quota = quota_of(group)) least = std::min(least.value_or(*quota), *quota);
  }
  return least;
}

std::optional<std::int64_t> cpu_quota_pauses(const fs::path& root) {
  std::optional<std::int64_t> pauses;
  for (const Group& group : groups_of(root)) {
    if (quota_of(group)) pauses = pauses.value_or(0) + pauses_of(group);
  }
  return pauses;
}

}  // namespace mpsbench::base
