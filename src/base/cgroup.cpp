#include "base/cgroup.hpp"

#include "base/system_file.hpp"
#include "base/units.hpp"

#include <algorithm>
#include <fstream>
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

// File and key names in one version of the cgroup interface.
struct FileNames {
  const char* limit;
  const char* used;
  const char* droppable;  // key in memory.stat
};
constexpr FileNames kVersion2{"memory.max", "memory.current", "inactive_file"};
constexpr FileNames kVersion1{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};

// Returns the number in a file's only line, or nullopt for "max" and for files that are not there.
std::optional<std::int64_t> read_number(const std::string& path) {
  std::ifstream file(path);
  std::int64_t value = 0;
  return file >> value ? std::optional(value) : std::nullopt;
}

std::int64_t droppable_bytes(const std::string& group, const std::string& wanted) {
  std::ifstream file(group + "/memory.stat");
  std::string key;
  for (std::int64_t value = 0; file >> key >> value;) {
    if (key == wanted) return value;
  }
  return 0;
}

std::optional<std::int64_t> left_by(const std::string& group, const FileNames& names) {
  const auto limit = read_number(group + "/" + names.limit);
  const auto used = read_number(group + "/" + names.used);
  if (!limit || !used) return std::nullopt;
  const std::int64_t kept = std::max<std::int64_t>(0, *used - droppable_bytes(group, names.droppable));
  return std::max<std::int64_t>(0, *limit - kept);
}

// Returns the memory left to GROUP ("/user.slice/x") below MOUNT: the minimum over this group and all groups
// around it. A group outside what this container can see ("/../x") has no files here.
std::optional<std::int64_t> least_left(const std::string& mount, const std::string& group, const FileNames& names) {
  std::optional<std::int64_t> least = left_by(mount, names);
  for (std::size_t end = group.find('/', 1);; end = group.find('/', end + 1)) {
    if (const auto left = left_by(mount + group.substr(0, end), names)) least = std::min(least.value_or(*left), *left);
    if (end == std::string::npos) return least;
  }
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

std::optional<std::int64_t> cgroup_free_bytes(const std::string& root) {
  const std::string mount = root + "/sys/fs/cgroup";
  std::ifstream groups(root + "/proc/self/cgroup");
  std::optional<std::int64_t> least;
  // A line is "0::/user.slice/x" (version 2) or "4:memory:/docker/x" (version 1).
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    std::optional<std::int64_t> left;
    if (controllers.empty()) left = least_left(mount, group, kVersion2);
    if (controllers == "memory") left = least_left(mount + "/memory", group, kVersion1);
    if (left) least = std::min(least.value_or(*left), *left);
  }
  return least;
}

}  // namespace mpsbench::base
