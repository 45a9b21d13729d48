#include "report/compare/comparability.hpp"

#include "base/units.hpp"
#include "report/compare/case_pairs.hpp"
#include "report/compare/changed_work.hpp"
#include "report/compare/remarks.hpp"
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
  for (const ComparedCase& result : report.cases) devices.insert(result.spec.device);
  return devices;
}

std::string accelerator_name(const schema::HostInfo& host, const schema::DeviceId& device) {
  const auto found = std::find_if(host.accelerators.begin(), host.accelerators.end(),
                                  [&](const schema::Accelerator& candidate) { return candidate.device == device; });
  return found == host.accelerators.end() ? "" : found->name;
}

// The keys of Launch::backend that say which precision was used.
constexpr const char* kPrecisionKeys[] = {"autocast", "matmul", "convolution"};

// Remarks on pairs of cases.
struct PairRemarks {
  Grouped obstacles;
  Grouped caveats;

  void append_to(Comparability& result) const {
    obstacles.append_to(result.obstacles);
    caveats.append_to(result.caveats);
  }
};

// Between machines these settings stand beside the figures.
void check_own_settings(const ComparedCase& before, const ComparedCase& after, const SideNames& sides,
                        PairRemarks& remarks) {
  const auto shown = [](const nlohmann::json& value) {
    return value.is_null() ? "not set" : value.is_string() ? value.get<std::string>() : value.dump();
  };
  for (const schema::SpecField& field : schema::own_fields()) {
    const nlohmann::json one = schema::value_json(field, before.spec);
    const nlohmann::json other = schema::value_json(field, after.spec);
    if (one != other) remarks.caveats.add(sides.remark(field.traits.option, shown(one), shown(other)), before.id);
  }
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

void check_pair(const ComparedCase& before, const ComparedCase& after, const SideNames& sides, PairRemarks& remarks) {
  if (before.published || after.published)
    return remarks.caveats.add(
        "published figures come from their authors' programs; only their description says that the work is "
        "the same",
        before.id);
  if (before.definition_sha256 != after.definition_sha256)
    remarks.obstacles.add("the network is different " + sides.second + " (definition_sha256)", before.id);
  if (before.spec != after.spec) remarks.obstacles.add(changed_work(before.spec, after.spec, sides), before.id);
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
  check_own_settings(before, after, sides, remarks);
  check_gpu_clocks(before, after, sides, remarks);
  if (!before.working_threads.empty() && !after.working_threads.empty() &&
      before.working_threads != after.working_threads)
    remarks.caveats.add(sides.remark("threads at work", before.working_threads, after.working_threads), before.id);
  if (before.max_launch_seconds && after.max_launch_seconds && *before.max_launch_seconds != *after.max_launch_seconds)
    remarks.caveats.add(sides.remark("longest launch", base::format_duration(*before.max_launch_seconds),
                                     base::format_duration(*after.max_launch_seconds)),
                        before.id);
}

// Checks what controls the clocks.
void check_clocks(const schema::HostInfo& before, const schema::HostInfo& after, const SideNames& sides, Lines& lines) {
  if (before.cpu.governor && after.cpu.governor)
    sides.tell(lines, "CPU frequency governor", before.cpu.governor, after.cpu.governor);
  if (before.power.mode && after.power.mode) sides.tell(lines, "power mode", before.power.mode, after.power.mode);
}

std::set<std::string> variables_of(const std::vector<const ComparedReport*>& reports) {
  std::set<std::string> names;
  for (const ComparedReport* report : reports) {
    for (const auto& [name, value] : report->host.environment) names.insert(name);
  }
  return names;
}

std::string variable(const ComparedReport& report, const std::string& name) {
  const auto found = report.host.environment.find(name);
  return found == report.host.environment.end() ? "unset" : found->second;
}

// Says what the variable does if one of its values slows networks down.
void check_variable(const std::string& name, const ComparedReport& before, const ComparedReport& after,
                    const SideNames& sides, Lines& lines) {
  const std::string one = variable(before, name);
  const std::string other = variable(after, name);
  if (one == other) return;
  std::string effect;
  for (const std::string& value : {one, other}) {
    if (const Variable* slow = find_slow_variable(name, value)) effect = std::string(" (") + slow->effect + ")";
  }
  lines.push_back(sides.remark(name, one, other) + effect);
}

void check_software(const ComparedReport& before, const ComparedReport& after, const SideNames& sides, Lines& lines) {
  sides.tell(lines, "LibTorch", libtorch_text(before.host), libtorch_text(after.host));
  sides.tell(lines, "mpsbench", build_text(before.tool), build_text(after.tool));
  sides.tell(lines, "power source", before.host.power.source, after.host.power.source);
  for (const std::string& name : variables_of({&before, &after})) check_variable(name, before, after, sides, lines);
}

void check_system(const schema::HostInfo& before, const schema::HostInfo& after, const SideNames& sides, Lines& lines) {
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
  lines.push_back(sides.remark("a cache line's way from one CPU to another and back", text(*one), text(*other)));
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

void check_run(const ComparedReport& report, Comparability& result) {
  if (report.run_status != schema::RunStatus::complete)
    result.caveats.push_back("the run in " + report.file + " is " + to_string(report.run_status));
  std::map<std::string, std::size_t> flags;
  for (const ComparedCase& one : report.cases) {
    if (one.published) continue;  // it has cautions
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
}

// What a reader must know about a published figure.
void add_cautions(const ComparedCase& one, const ComparedReport& report, Grouped& cautions) {
  if (!one.published) return;
  const schema::Published& published = one.published.value();
  const std::string place = one.id + " in " + report.file;
  for (const std::string& name : published.cautions) {
    const schema::Caution* caution = schema::find_caution(name);
    if (caution != nullptr) cautions.add(name + " (" + caution->meaning + ")", place);
  }
  if (!published.remark.empty()) cautions.add("remark (" + published.remark + ")", place);
}

// Compares all measured cases of a row with the first one, and all published ones with it, too.
void check_row(const MachineTable& table, const MachineRow& row, PairRemarks& remarks, Grouped& cautions) {
  std::optional<std::size_t> first;
  for (std::size_t at = 0; at < row.cells.size(); ++at) {
    const ComparedCase* result = row.cells[at].result;
    if (result == nullptr) continue;
    add_cautions(*result, *table.columns[at].report, cautions);
    if (!first || row.cells[*first].result->published) first = first && result->published ? first : at;
  }
  for (std::size_t at = 0; first && at < row.cells.size(); ++at) {
    if (row.cells[at].result == nullptr || table.columns[at].report == table.columns[*first].report) continue;
    check_pair(*row.cells[*first].result, *row.cells[at].result,
               {"in " + table.columns[*first].report->file, "in " + table.columns[at].report->file}, remarks);
  }
}

// Of published reports nothing else is known than what the list of the machines has.
void tell_topics(const std::vector<const ComparedReport*>& measured, Lines& lines) {
  const auto tell = [&](const std::string& what, auto&& value_of) {
    Topic topic(what);
    for (const ComparedReport* report : measured) topic.add(value_of(*report), report->file);
    topic.append_to(lines);
  };
  tell("CPU frequency governor", [](const ComparedReport& one) { return one.host.cpu.governor; });
  tell("power mode", [](const ComparedReport& one) { return one.host.power.mode; });
  tell("LibTorch", [](const ComparedReport& one) { return libtorch_text(one.host); });
  tell("mpsbench", [](const ComparedReport& one) { return std::optional(build_text(one.tool)); });
  tell("power source", [](const ComparedReport& one) { return one.host.power.source; });
  for (const std::string& name : variables_of(measured))
    tell(name, [&](const ComparedReport& one) { return std::optional(variable(one, name)); });
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
  PairRemarks remarks;
  for (const CasePair& pair : case_pairs(before, after)) {
    if (pair.before != nullptr && pair.after != nullptr) check_same_case(*pair.before, *pair.after, sides, remarks);
  }
  remarks.append_to(result);
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

Comparability comparability(const MachineTable& table) {
  Comparability result;
  PairRemarks remarks;
  Grouped cautions;
  for (const MachineRow& row : table.rows) check_row(table, row, remarks, cautions);
  std::vector<const ComparedReport*> measured;
  for (const ComparedReport* report : reports_of(table)) {
    check_run(*report, result);
    if (!report->is_published()) measured.push_back(report);
  }
  cautions.append_to(result.caveats);
  remarks.append_to(result);
  tell_topics(measured, result.caveats);
  for (const ComparedReport* report : measured) {
    if (report == measured.front()) continue;
    check_connections(*measured.front(), *report, {"in " + measured.front()->file, "in " + report->file},
                      result.caveats);
  }
  return result;
}

}  // namespace mpsbench::report
