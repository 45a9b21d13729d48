#include "report/compare/comparability.hpp"

#include "base/counted.hpp"
#include "base/units.hpp"
#include "report/compare/changed_work.hpp"
#include "report/compare/connections.hpp"
#include "report/compare/machines.hpp"
#include "report/host/variables.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace mpsbench::report {
namespace {

using Lines = std::vector<std::string>;

std::string os_text(const schema::HostInfo& host) {
  return host.os.name + " " + host.os.version + " (" + host.os.kernel + ")";
}

std::string build_text(const schema::ToolInfo& tool) {
  return tool.version + " " + schema::commit_text(tool) + " (" + tool.build_type + ", " + tool.compiler + ")";
}

std::optional<std::string> libtorch_text(const schema::HostInfo& host) {
  if (!host.libtorch) return std::nullopt;
  const schema::LibtorchInfo& torch = *host.libtorch;
  std::string text = torch.version;
  if (torch.cuda) text += ", CUDA " + *torch.cuda;
  if (torch.cudnn) text += ", cuDNN " + *torch.cudnn;
  return text;
}

std::set<schema::DeviceId> devices_of(const ComparedReport& report) {
  std::set<schema::DeviceId> devices;
  for (const ComparedCase& result : report.cases) devices.insert(result.device);
  return devices;
}

std::string accelerator_name(const schema::HostInfo& host, const schema::DeviceId& device) {
  const auto found =
      std::find_if(host.accelerators.begin(), host.accelerators.end(),
                   [&](const schema::Accelerator& candidate) { return candidate.device == device; });
  return found == host.accelerators.end() ? "" : found->name;
}

// The keys of Launch::backend that say which precision was used.
constexpr const char* kPrecisionKeys[] = {"autocast", "matmul", "convolution"};

// Collects the cases that share a remark. The remark appears once, with the first case and the number of
// others.
class Grouped {
 public:
  void add(const std::string& remark, const std::string& id) {
    if (remark.empty()) return;
    Group& group = groups_[remark];
    if (group.count++ == 0) group.first = id;
  }
  void append_to(Lines& lines) const {
    for (const auto& [remark, group] : groups_) {
      std::string line = remark + ": " + group.first;
      if (group.count > 1) line += " and " + std::to_string(group.count - 1) + " more";
      lines.push_back(std::move(line));
    }
  }

 private:
  struct Group {
    std::size_t count = 0;
    std::string first;
  };
  std::map<std::string, Group> groups_;
};

// Remarks on pairs of cases.
struct PairRemarks {
  Grouped obstacles;
  Grouped caveats;
};

void check_specs(const ComparedCase& before, const ComparedCase& after, const SideNames& sides,
                 PairRemarks& remarks) {
  const schema::CaseSpec one = before.spec();
  const schema::CaseSpec other = after.spec();
  remarks.obstacles.add(changed_work(one, other, sides), before.id);
  if (before.id == after.id && one.threads != other.threads)
    remarks.caveats.add(sides.remark("threads", std::to_string(one.threads), std::to_string(other.threads)),
                        before.id);
}

// Clocks that somebody set are a condition of the measurement, so a difference is an obstacle. Otherwise the
// GPU chooses its clocks, and a difference is only a caveat.
void check_gpu_clocks(const ComparedCase& before, const ComparedCase& after, const SideNames& sides,
                      PairRemarks& remarks) {
  constexpr double kAlike = 0.03;
  const GpuClock& one = before.gpu_clock;
  const GpuClock& other = after.gpu_clock;
  const bool is_set = one.is_set_by_hand.value_or(false) || other.is_set_by_hand.value_or(false);
  Grouped& lines = is_set ? remarks.obstacles : remarks.caveats;
  if (one.is_set_by_hand && other.is_set_by_hand && *one.is_set_by_hand != *other.is_set_by_hand) {
    const auto text = [](bool set) { return set ? "set by hand" : "automatic"; };
    lines.add(sides.remark("GPU clocks", text(*one.is_set_by_hand), text(*other.is_set_by_hand)), before.id);
  } else if (one.hertz && other.hertz && std::abs(*other.hertz - *one.hertz) > kAlike * *one.hertz) {
    lines.add("the GPU's clock differed by more than 3 % " + sides.second, before.id);
  }
}

void check_pair(const ComparedCase& before, const ComparedCase& after, const SideNames& sides,
                PairRemarks& remarks) {
  if (before.published || after.published)
    return remarks.caveats.add(
        "published figures " + (after.published ? sides.second : sides.first) +
            " come from their authors' programs; only their description says that the work is the same",
        before.id);
  if (before.definition_sha256 != after.definition_sha256)
    remarks.obstacles.add("the network is different " + sides.second + " (definition_sha256)", before.id);
  if (before.spec_text != after.spec_text) check_specs(before, after, sides, remarks);
  for (const auto& [key, value] : before.backend) {
    const auto found = after.backend.find(key);
    if (found == after.backend.end() || found->second == value) continue;
    const bool precision =
        std::find(std::begin(kPrecisionKeys), std::end(kPrecisionKeys), key) != std::end(kPrecisionKeys);
    (precision ? remarks.obstacles : remarks.caveats).add(sides.remark(key, value, found->second), before.id);
  }
}

// Checks whether the same work on the same machine was measured under the same conditions.
void check_same_case(const ComparedCase& before, const ComparedCase& after, const SideNames& sides,
                     PairRemarks& remarks) {
  check_pair(before, after, sides, remarks);
  check_gpu_clocks(before, after, sides, remarks);
  if (!before.working_threads.empty() && !after.working_threads.empty() &&
      before.working_threads != after.working_threads)
    remarks.caveats.add(sides.remark("threads at work", before.working_threads, after.working_threads),
                        before.id);
  if (before.max_launch_seconds && after.max_launch_seconds &&
      *before.max_launch_seconds != *after.max_launch_seconds)
    remarks.caveats.add(sides.remark("longest launch", base::format_duration(*before.max_launch_seconds),
                                     base::format_duration(*after.max_launch_seconds)),
                        before.id);
}

// Pairs the cases by KEY, a function that makes a text of a case.
template <typename Key>
void check_pairs(const ComparedReport& before, const ComparedReport& after, const SideNames& sides, Key&& key,
                 decltype(check_pair)& check, Comparability& result) {
  std::map<std::string, const ComparedCase*> others;
  for (const ComparedCase& one : after.cases) others[key(one)] = &one;
  PairRemarks remarks;
  for (const ComparedCase& one : before.cases) {
    const auto found = others.find(key(one));
    if (found != others.end()) check(one, *found->second, sides, remarks);
  }
  remarks.obstacles.append_to(result.obstacles);
  remarks.caveats.append_to(result.caveats);
}

// Checks what controls the clocks. For one machine a difference is an obstacle; between two it is a caveat.
void check_clocks(const schema::HostInfo& before, const schema::HostInfo& after, const SideNames& sides,
                  Lines& lines) {
  if (before.cpu.governor && after.cpu.governor)
    sides.tell(lines, "CPU frequency governor", before.cpu.governor, after.cpu.governor);
  if (before.power.mode && after.power.mode)
    sides.tell(lines, "power mode", before.power.mode, after.power.mode);
}

// Says what the variable does if one of its values slows networks down.
void check_variable(const std::string& name, const schema::HostInfo& before, const schema::HostInfo& after,
                    const SideNames& sides, Lines& lines) {
  std::string effect;
  const auto value = [&](const schema::HostInfo& host) {
    const auto found = host.environment.find(name);
    if (found == host.environment.end()) return std::string("unset");
    if (const Variable* slow = find_slow_variable(name, found->second))
      effect = std::string(" (") + slow->effect + ")";
    return found->second;
  };
  const std::string one = value(before);
  const std::string other = value(after);
  if (one != other) lines.push_back(sides.remark(name, one, other) + effect);
}

void check_software(const ComparedReport& before, const ComparedReport& after, const SideNames& sides,
                    Lines& lines) {
  sides.tell(lines, "LibTorch", libtorch_text(before.host), libtorch_text(after.host));
  if (before.is_published() || after.is_published()) return;  // nothing else is known
  sides.tell(lines, "mpsbench", build_text(before.tool), build_text(after.tool));
  sides.tell(lines, "power source", before.host.power.source, after.host.power.source);
  std::map<std::string, std::string> variables = before.host.environment;
  variables.insert(after.host.environment.begin(), after.host.environment.end());
  for (const auto& [name, unused] : variables) check_variable(name, before.host, after.host, sides, lines);
}

void check_system(const schema::HostInfo& before, const schema::HostInfo& after, const SideNames& sides,
                  Lines& lines) {
  sides.tell(lines, "host", before.name, after.name);
  sides.tell(lines, "CPU", before.cpu.model, after.cpu.model);
  sides.tell(lines, "system", os_text(before), os_text(after));
}

// Returns the mean over all launches.
std::optional<double> cpu_distance_seconds(const ComparedReport& report) {
  double sum = 0;
  double count = 0;
  for (const ComparedCase& one : report.cases) {
    for (const ComparedLaunch& launch : one.launches) {
      if (!launch.cpu_distance_seconds) continue;
      sum += *launch.cpu_distance_seconds;
      count += 1;
    }
  }
  return count > 0 ? std::optional(sum / count) : std::nullopt;
}

// Says whether the host of a virtual machine had put its CPUs farther apart.
void check_cpu_distance(const ComparedReport& before, const ComparedReport& after, const SideNames& sides,
                        Lines& lines) {
  constexpr double kAlike = 1.5;
  const auto one = cpu_distance_seconds(before);
  const auto other = cpu_distance_seconds(after);
  if (!one || !other || std::max(*one, *other) <= kAlike * std::min(*one, *other)) return;
  const auto text = [](double seconds) { return base::format_significant(seconds * 1e9, 3) + " ns"; };
  lines.push_back(
      sides.remark("a cache line's way from one CPU to another and back", text(*one), text(*other)));
}

// Leaves out cases that have no other launches: their rows say why they are not compared.
void check_launches(const ComparedReport& report, Comparability& result) {
  Grouped grouped;
  for (const ComparedCase& one : report.cases) {
    if (one.launches_without_time > 0 && !one.launches.empty())
      grouped.add(report.file + ": launches whose step time is 0 or missing are left out", one.id);
  }
  grouped.append_to(result.caveats);
}

// Adds what a reader must know about published figures.
void check_published(const ComparedReport& report, Comparability& result) {
  Grouped grouped;
  for (const ComparedCase& one : report.cases) {
    if (!one.published) continue;
    const schema::Published& published = one.published.value();
    for (const std::string& name : published.cautions) {
      const schema::Caution* caution = schema::find_caution(name);
      if (caution != nullptr) grouped.add(report.file + ": " + name + " (" + caution->meaning + ")", one.id);
    }
    if (!published.remark.empty()) grouped.add(report.file + ": remark (" + published.remark + ")", one.id);
  }
  grouped.append_to(result.caveats);
}

void check_run(const ComparedReport& report, Comparability& result) {
  if (report.run_status != schema::RunStatus::complete)
    result.caveats.push_back("the run in " + report.file + " is " + to_string(report.run_status));
  std::map<std::string, std::size_t> flags;
  for (const ComparedCase& one : report.cases) {
    for (const std::string& flag : one.flags) ++flags[flag];
  }
  std::string line;
  for (const auto& [flag, count] : flags)
    line += (line.empty() ? "" : ", ") + flag + " (" + std::to_string(count) + ")";
  if (!line.empty()) result.caveats.push_back("flagged cases in " + report.file + ": " + line);
  if (report.unfounded > 0)
    result.caveats.push_back("the metrics of " + base::counted(report.unfounded, "case", "cases") + " in " +
                             report.file + " do not follow from the samples, which alone count here");
  check_launches(report, result);
  check_published(report, result);
}

}  // namespace

bool same_machine(const ComparedReport& before, const ComparedReport& after) {
  const auto identity = [](const schema::HostInfo& host) {
    return std::tie(host.name, host.cpu.model, host.os.name, host.os.arch);
  };
  if (identity(before.host) != identity(after.host)) return false;
  const std::set<schema::DeviceId> others = devices_of(after);
  bool common = false;
  for (const schema::DeviceId& device : devices_of(before)) {
    if (!others.contains(device)) continue;
    common = true;
    if (accelerator_name(before.host, device) != accelerator_name(after.host, device)) return false;
  }
  return common;
}

Comparability comparability(const ComparedReport& before, const ComparedReport& after) {
  const SideNames sides{"before", "after"};
  Comparability result;
  check_pairs(before, after, sides, [](const ComparedCase& one) { return one.id; }, check_same_case, result);
  check_clocks(before.host, after.host, sides, result.obstacles);
  check_system(before.host, after.host, sides, result.caveats);
  check_software(before, after, sides, result.caveats);
  check_connections(before, after, sides, result.caveats);
  check_cpu_distance(before, after, sides, result.caveats);
  if (!before.is_published() && before.started_at > after.started_at)
    result.caveats.push_back("the 'before' run started later than the 'after' run: are the files swapped?");
  check_run(before, result);
  check_run(after, result);
  return result;
}

Comparability comparability(const std::vector<ComparedReport>& reports) {
  Comparability result;
  const auto measured = std::find_if(reports.begin(), reports.end(),
                                     [](const ComparedReport& report) { return !report.is_published(); });
  const ComparedReport& first = measured == reports.end() ? reports.front() : *measured;
  for (const ComparedReport& report : reports) {
    check_run(report, result);
    if (&report == &first) continue;
    const SideNames sides{"in " + first.file, "in " + report.file};
    check_pairs(first, report, sides, report.is_published() ? published_work_of : work_of, check_pair,
                result);
    check_clocks(first.host, report.host, sides, result.caveats);
    check_software(first, report, sides, result.caveats);
    check_connections(first, report, sides, result.caveats);
  }
  return result;
}

}  // namespace mpsbench::report
