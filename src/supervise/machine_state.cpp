#include "supervise/machine_state.hpp"

#include "base/units.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
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

#else

MachineState read_busy_time(const std::vector<int>& cpus) {
  return busy_time(base::read_system_file("/proc/stat"), cpus, static_cast<double>(::sysconf(_SC_CLK_TCK)));
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
  state.oom_kills = counter_value(base::read_system_file("/proc/vmstat"), "oom_kill");
  return state;
}

std::optional<double> other_cpu_share(const MachineState& before, const MachineState& after, double worker_cpu_seconds,
                                      double wall_seconds) {
  if (!before.busy_cpu_seconds || !after.busy_cpu_seconds || wall_seconds < kShortestWallSeconds) {
    return std::nullopt;
  }
  const auto cores = after.cpus > 0 ? after.cpus : static_cast<std::size_t>(::sysconf(_SC_NPROCESSORS_ONLN));
  const double others = *after.busy_cpu_seconds - *before.busy_cpu_seconds - worker_cpu_seconds;
  return std::clamp(others / (wall_seconds * static_cast<double>(cores)), 0.0, 1.0);
}

std::int64_t counter_value(const std::string& text, std::string_view key) {
  std::istringstream counters(text);
  std::string name;
  std::int64_t value = 0;
  while (counters >> name >> value) {
    if (name == key) return value;
  }
  return 0;
}

}  // namespace mpsbench::supervise
