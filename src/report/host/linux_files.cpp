#include "report/host/linux_files.hpp"

#include "base/system_file.hpp"
#include "base/units.hpp"

#include <algorithm>
#include <sstream>

namespace mpsbench::report {
namespace {

namespace fs = std::filesystem;

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::string_view unquote(std::string_view text) {
  const bool quoted =
      text.size() >= 2 && text.front() == text.back() && (text.front() == '"' || text.front() == '\'');
  return quoted ? text.substr(1, text.size() - 2) : text;
}

std::optional<double> ratio(std::optional<double> quota, std::optional<double> period) {
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return *quota / *period;
}

// The file contains quota and period: "200000 100000" or "max 100000".
std::optional<double> quota_v2(const fs::path& group) {
  const std::string line = base::read_first_line(group / "cpu.max");
  const std::size_t blank = line.find(' ');
  if (blank == std::string::npos) return std::nullopt;
  return ratio(base::parse_number(line.substr(0, blank)), base::parse_number(line.substr(blank + 1)));
}

std::optional<double> quota_v1(const fs::path& group) {
  return ratio(base::parse_number(base::read_first_line(group / "cpu.cfs_quota_us")),
               base::parse_number(base::read_first_line(group / "cpu.cfs_period_us")));
}

// Returns the smallest quota of GROUP and its parent groups, up to MOUNT.
template <typename QuotaOf>
std::optional<double> least_quota(const fs::path& mount, const fs::path& group, QuotaOf quota_of) {
  std::optional<double> least = quota_of(mount);
  fs::path folder = mount;
  for (const fs::path& part : group.relative_path()) {
    if (part == "..") break;  // the group is outside what this container can see
    folder /= part;
    const auto quota = quota_of(folder);
    if (quota) least = std::min(least.value_or(*quota), *quota);
  }
  return least;
}

bool names_cpu(const std::string& controllers) {
  const auto names = base::split_list(controllers);
  return names && std::find(names->begin(), names->end(), "cpu") != names->end();
}

}  // namespace

std::map<std::string, std::string> key_values(std::string_view text, char separator) {
  std::map<std::string, std::string> values;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const std::size_t at = line.find(separator);
    if (at != std::string_view::npos) {
      values.emplace(trim(line.substr(0, at)), unquote(trim(line.substr(at + 1))));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return values;
}

std::optional<double> cpu_quota(const fs::path& root) {
  std::optional<double> least;
  std::istringstream lines(base::read_system_file(root / "proc/self/cgroup"));
  for (std::string line; std::getline(lines, line);) {
    // A line is "0::/path" (v2) or "4:cpu,cpuacct:/path" (v1).
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const fs::path group = line.substr(second + 1);
    std::optional<double> quota;
    if (controllers.empty()) {
      quota = least_quota(root / "sys/fs/cgroup", group, quota_v2);
    } else if (names_cpu(controllers)) {
      quota = least_quota(root / "sys/fs/cgroup/cpu", group, quota_v1);
    }
    if (quota) least = std::min(least.value_or(*quota), *quota);
  }
  return least;
}

}  // namespace mpsbench::report
