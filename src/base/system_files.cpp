#include "base/system_files.hpp"

#include "base/units.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#ifdef __linux__
#include <sched.h>
#endif

namespace mpsbench::base {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestFile = 4 << 20;  // /proc/cpuinfo of a machine with 1,000 CPUs has 1.5 MB

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

}  // namespace

std::string read_system_file(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return {};
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::string block(64 << 10, '\0');
  while (text.size() < kLargestFile && (file.read(block.data(), std::ssize(block)) || file.gcount() > 0)) {
    text.append(block, 0, static_cast<std::size_t>(file.gcount()));
  }
  return text;
}

std::string read_first_line(const fs::path& path) {
  const std::string text = read_system_file(path);
  return std::string(trim(std::string_view(text).substr(0, text.find_first_of(std::string_view("\n\0", 2)))));
}

std::optional<std::int64_t> read_whole_number(const fs::path& path) {
  return parse_whole_number(read_first_line(path));
}

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
