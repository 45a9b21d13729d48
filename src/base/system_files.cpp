#include "base/system_files.hpp"

#include "base/units.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <system_error>

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

struct Group {
  fs::path folder;
  bool is_version_2;
};

// Returns this process's groups with this CONTROLLER, and the groups around them.
std::vector<Group> groups_of(const fs::path& root, const std::string& controller) {
  std::vector<Group> groups;
  std::istringstream lines(read_system_file(root / "proc/self/cgroup"));
  for (std::string line; std::getline(lines, line);) {
    // A line is "0::/path" (version 2) or "4:cpu,cpuacct:/path" (version 1).
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool is_version_2 = controllers.empty();
    if (!is_version_2 && !std::ranges::count(split_list(controllers).value_or(std::vector<std::string>()), controller))
      continue;
    fs::path folder = root / "sys/fs/cgroup" / (is_version_2 ? "" : controller);
    groups.push_back({folder, is_version_2});
    for (const fs::path& part : fs::path(line.substr(second + 1)).relative_path()) {
      if (part == "..") break;  // the group is outside what this container can see
      groups.push_back({folder /= part, is_version_2});
    }
  }
  return groups;
}

// Returns the least ASK(group) of the groups that have one.
template <typename Ask>
auto least_of(const std::vector<Group>& groups, Ask ask) {
  decltype(ask(groups.front())) least;
  for (const Group& group : groups) {
    if (const auto value = ask(group)) least = std::min(least.value_or(*value), *value);
  }
  return least;
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

// Returns the number after KEY in a file of lines such as "nr_throttled 3", or 0.
std::int64_t number_in(const fs::path& file, const std::string& key) {
  std::istringstream words(read_system_file(file));
  std::string word;
  for (std::int64_t value = 0; words >> word >> value;) {
    if (word == key) return value;
  }
  return 0;
}

std::optional<std::int64_t> memory_left_by(const Group& group) {
  const auto number = [&](const char* v2, const char* v1) {
    return read_whole_number(group.folder / (group.is_version_2 ? v2 : v1));
  };
  const auto limit = number("memory.max", "memory.limit_in_bytes");
  const auto used = number("memory.current", "memory.usage_in_bytes");
  if (!limit || !used) return std::nullopt;
  const char* droppable = group.is_version_2 ? "inactive_file" : "total_inactive_file";
  const auto kept = std::max<std::int64_t>(0, *used - number_in(group.folder / "memory.stat", droppable));
  return std::max<std::int64_t>(0, *limit - kept);
}

}  // namespace

std::optional<double> cpu_quota(const fs::path& root) {
  return least_of(groups_of(root, "cpu"), quota_of);
}

std::optional<std::int64_t> cpu_quota_pauses(const fs::path& root) {
  std::optional<std::int64_t> pauses;
  for (const Group& group : groups_of(root, "cpu")) {
    if (quota_of(group)) pauses = pauses.value_or(0) + number_in(group.folder / "cpu.stat", "nr_throttled");
  }
  return pauses;
}

std::optional<std::int64_t> cgroup_free_bytes(const fs::path& root) {
  return least_of(groups_of(root, "memory"), memory_left_by);
}

}  // namespace mpsbench::base
