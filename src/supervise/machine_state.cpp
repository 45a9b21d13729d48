#include "supervise/machine_state.hpp"

#include "base/units.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <sstream>

#ifdef __APPLE__
#include <mach/mach.h>
#endif

namespace mpsbench::supervise {
namespace {

constexpr double kShortestWallSeconds = 0.2;

#ifdef __APPLE__

MachineState read_busy_time(const std::vector<int>& /*cpus*/) {
  host_cpu_load_info_data_t load{};
  mach_msg_type_number_t count = HOST_CPU_LOAD_INFO_COUNT;
  const mach_port_t host = mach_host_self();
  const kern_return_t result = host_statistics(host, HOST_CPU_LOAD_INFO, reinterpret_cast<host_info_t>(&load), &count);
  mach_port_deallocate(mach_task_self(), host);
  if (result != KERN_SUCCESS) return {};
  const double ticks = static_cast<double>(load.cpu_ticks[CPU_STATE_USER]) +
                       static_cast<double>(load.cpu_ticks[CPU_STATE_SYSTEM]) +
                       static_cast<double>(load.cpu_ticks[CPU_STATE_NICE]);
  return {.busy_cpu_seconds = ticks / static_cast<double>(::sysconf(_SC_CLK_TCK))};
}

std::int64_t oom_kills() {
  return 0;
}

#else

std::string read_all(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

MachineState read_busy_time(const std::vector<int>& cpus) {
  return busy_time(read_all("/proc/stat"), cpus, static_cast<double>(::sysconf(_SC_CLK_TCK)));
}

// Returns the counter of our memory cgroup (version 2, or version 1 with a "memory" hierarchy), or 0 if it
// cannot be read.
std::int64_t group_oom_kills() {
  std::istringstream groups(read_all("/proc/self/cgroup"));
  std::int64_t kills = 0;
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1);
    if (controllers.empty()) {
      kills += counter_value(read_all("/sys/fs/cgroup" + path + "/memory.events"), "oom_kill");
    } else if (controllers == "memory") {
      kills += counter_value(read_all("/sys/fs/cgroup/memory" + path + "/memory.oom_control"), "oom_kill");
    }
  }
  return kills;
}

std::int64_t oom_kills() {
  return counter_value(read_all("/proc/vmstat"), "oom_kill") + group_oom_kills();
}

#endif

}  // namespace

// A line is: cpu user nice system idle iowait irq softirq steal guest guest_nice. The time of guests is part
// of user. The first line has the sum of all CPUs, which is more exact than the sum of their own lines.
MachineState busy_time(const std::string& stat, const std::vector<int>& cpus, double ticks_per_second) {
  std::istringstream lines(stat);
  MachineState all;
  MachineState chosen{.busy_cpu_seconds = 0};
  std::size_t online = 0;
  for (std::string line; std::getline(lines, line) && line.starts_with("cpu");) {
    std::istringstream fields(line);
    std::string label;
    std::array<double, 7> times{};
    fields >> label;
    for (double& time : times) fields >> time;
    if (!fields) return all;
    const double busy = (times[0] + times[1] + times[2] + times[5] + times[6]) / ticks_per_second;
    if (!all.busy_cpu_seconds) {
      all.busy_cpu_seconds = busy;
      continue;
    }
    ++online;
    const auto number = base::parse_whole_number(label.substr(3));
    if (!number || !std::ranges::binary_search(cpus, *number)) continue;
    ++chosen.cpus;
    *chosen.busy_cpu_seconds += busy;
  }
  const bool are_some = chosen.cpus > 0 && chosen.cpus == cpus.size() && chosen.cpus < online;
  return are_some ? chosen : all;
}

MachineState read_machine_state(const std::vector<int>& cpus) {
  MachineState state = read_busy_time(cpus);
  state.oom_kills = oom_kills();
  return state;
}

std::optional<double> other_cpu_share(const MachineState& before, const MachineState& after, double worker_cpu_seconds,
                                      double wall_seconds) {
  if (!before.busy_cpu_seconds || !after.busy_cpu_seconds || wall_seconds < kShortestWallSeconds) {
    return std::nullopt;
  }
  const auto cores =
      after.cpus > 0 ? static_cast<double>(after.cpus) : static_cast<double>(::sysconf(_SC_NPROCESSORS_ONLN));
  const double others = *after.busy_cpu_seconds - *before.busy_cpu_seconds - worker_cpu_seconds;
  return std::clamp(others / (wall_seconds * cores), 0.0, 1.0);
}

std::int64_t counter_value(std::string_view text, std::string_view key) {
  const std::string wanted = std::string(key) + ' ';
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.substr(0, wanted.size()) != wanted) continue;
    return base::parse_whole_number(line.substr(wanted.size())).value_or(0);
  }
  return 0;
}

}  // namespace mpsbench::supervise
