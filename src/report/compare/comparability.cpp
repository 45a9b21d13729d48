#include "base/units.hpp"
#include "report/compare/case_pairs.hpp"
#include "report/compare/machines.hpp"
#include "report/host/machine_cache.hpp"
#include "report/host/variables.hpp"

#include <algorithm>
#include <functional>
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

// What a report says about one topic; nullopt or empty: not known.
using Saying = std::optional<std::string>;

enum class TopicKind {
  clocks,    // controls the clocks: an obstacle between runs of one machine, if both know it
  machine,   // differs between machines anyway
  software,  // and power
};

struct Topic {
  const char* what;
  TopicKind kind;
  Saying (*said_by)(const ComparedReport& report);
};

constexpr Topic kTopics[] = {
    {"CPU frequency governor", TopicKind::clocks, [](const ComparedReport& one) { return one.host.cpu.governor; }},
    {"power mode", TopicKind::clocks, [](const ComparedReport& one) { return one.host.power.mode; }},
    {"host", TopicKind::machine, [](const ComparedReport& one) { return Saying(one.host.name); }},
    {"CPU", TopicKind::machine, [](const ComparedReport& one) { return Saying(one.host.cpu.model); }},
    {"system", TopicKind::machine, [](const ComparedReport& one) { return Saying(os_text(one.host)); }},
    {"LibTorch", TopicKind::software, [](const ComparedReport& one) { return libtorch_text(one.host); }},
    {"mpsbench", TopicKind::software, [](const ComparedReport& one) { return Saying(build_text(one.tool)); }},
    {"power source", TopicKind::software, [](const ComparedReport& one) { return one.host.power.source; }}};

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

void check_topics(const ComparedReport& before, const ComparedReport& after, const SideNames& sides,
                  Comparability& result) {
  for (const Topic& topic : kTopics) {
    const Saying one = topic.said_by(before);
    const Saying other = topic.said_by(after);
    if (topic.kind != TopicKind::clocks)
      sides.tell(result.caveats, topic.what, one, other);
    else if (one && other)
      sides.tell(result.obstacles, topic.what, one, other);
  }
  for (const std::string& name : variables_of({&before, &after}))
    check_variable(name, before, after, sides, result.caveats);
}

Saying gpu_paths(const schema::HostInfo& host) {
  return host.interconnect ? Saying(schema::paths_text(*host.interconnect)) : std::nullopt;
}

Saying network(const schema::HostInfo& host) {
  return host.network ? Saying(schema::network_text(*host.network)) : std::nullopt;
}

// Whether a case runs in several processes, on NVIDIA GPUs or elsewhere.
bool has_ranks(const ComparedReport& report, bool on_gpus) {
  return std::ranges::any_of(report.cases, [&](const ComparedCase& one) {
    return one.spec.ranks > 1 && one.spec.device.row().one_a_rank == on_gpus;
  });
}

// Adds a line for the paths between the GPUs and one for the network, if they differ and both reports have
// cases of several processes that use them. Nothing is said if neither report knows them.
void check_connections(const ComparedReport& before, const ComparedReport& after, const SideNames& sides,
                       Lines& lines) {
  const bool on_gpus = has_ranks(before, true) && has_ranks(after, true);
  const bool on_cpus = has_ranks(before, false) && has_ranks(after, false);
  if (on_gpus) sides.tell(lines, "GPU connection", gpu_paths(before.host), gpu_paths(after.host));
  if (on_gpus || on_cpus) sides.tell(lines, "network", network(before.host), network(after.host));
}

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
  const std::string in_file = report.file.empty() ? "" : " in " + report.file;  // empty: it is the only one
  if (report.run_status != schema::RunStatus::complete)
    result.caveats.push_back("the run" + in_file + " is " + to_string(report.run_status));
  std::map<std::string, std::size_t> flags;
  for (const ComparedCase& one : report.cases) {
    if (one.published) continue;  // it has cautions
    for (const std::string& flag : one.flags) ++flags[flag];
  }
  std::string line;
  for (const auto& [flag, count] : flags)
    line += (line.empty() ? "" : ", ") + flag + " (" + std::to_string(count) + ")";
  if (!line.empty()) result.caveats.push_back("flagged cases" + in_file + ": " + line);
  if (report.unfounded > 0)
    result.caveats.push_back("the metrics of " + base::counted(report.unfounded, "case", "cases") + in_file +
                             " do not follow from the samples, which alone count here");
  check_launches(report, result);
}

void add_cautions(const ComparedCase& one, const ComparedReport& report, Grouped& cautions) {
  if (!one.published) return;
  const std::string place = one.id + " in " + report.file;
  for (const std::string& name : one.published->cautions) {
    const schema::Caution* caution = schema::find_caution(name);
    if (caution != nullptr) cautions.add(name + " (" + caution->meaning + ")", place);
  }
  const std::string& remark = one.published->remark;
  if (!remark.empty()) cautions.add("remark (" + remark + ")", place);
}

// Compares all measured cases of a row with the first one, and all published ones with it, too.
void check_row(const MachineTable& table, const MachineRow& row, CaseRemarks& remarks, Grouped& cautions) {
  std::optional<std::size_t> first;
  for (std::size_t at = 0; at < row.cells.size(); ++at) {
    const ComparedCase* result = row.cells[at].result;
    if (result == nullptr) continue;
    add_cautions(*result, *table.columns[at].report, cautions);
    if (!first || row.cells[*first].result->published) first = first && result->published ? first : at;
  }
  for (std::size_t at = 0; first && at < row.cells.size(); ++at) {
    if (row.cells[at].result == nullptr || table.columns[at].report == table.columns[*first].report) continue;
    compare_work(*row.cells[*first].result, *row.cells[at].result,
                 {"in " + table.columns[*first].report->file, "in " + table.columns[at].report->file}, remarks);
  }
}

// Adds a line such as "LibTorch 2.13.0 in a.json and 2 more, 2.14.0 in d.json" if REPORTS differ in what
// SAID_BY says. Leaves out what is not known.
void tell_topic(const std::string& what, const std::vector<const ComparedReport*>& reports,
                const std::function<Saying(const ComparedReport&)>& said_by, Lines& lines) {
  struct Said {
    std::string value;
    std::string file;  // the first that says so
    std::size_t others = 0;
  };
  std::vector<Said> all;
  for (const ComparedReport* report : reports) {
    const Saying value = said_by(*report);
    if (!value || value->empty()) continue;
    const auto same = std::ranges::find(all, *value, &Said::value);
    if (same == all.end()) {
      all.push_back({*value, report->file});
    } else {
      ++same->others;
    }
  }
  if (all.size() < 2) return;
  std::string line;
  for (const Said& one : all) {
    line += (line.empty() ? what + " " : ", ") + one.value + " in " + one.file;
    if (one.others > 0) line += " and " + std::to_string(one.others) + " more";
  }
  lines.push_back(line);
}

// Of published reports nothing else is known than what the list of the machines has.
void tell_topics(const std::vector<const ComparedReport*>& measured, Lines& lines) {
  for (const Topic& topic : kTopics) {
    if (topic.kind != TopicKind::machine) tell_topic(topic.what, measured, topic.said_by, lines);
  }
  for (const std::string& name : variables_of(measured))
    tell_topic(name, measured, [&](const ComparedReport& one) { return Saying(variable(one, name)); }, lines);
}

}  // namespace

bool same_machine(const ComparedReport& before, const ComparedReport& after) {
  const auto identity = [](const schema::HostInfo& host) {
    return std::tie(host.name, host.cpu.model, host.os.name, host.os.arch);
  };
  if (identity(before.host) != identity(after.host)) return false;
  std::vector<schema::DeviceId> common;
  std::ranges::set_intersection(devices_of(before), devices_of(after), std::back_inserter(common));
  return !common.empty() && std::ranges::all_of(common, [&](const schema::DeviceId& device) {
    return accelerator_name(before.host, device) == accelerator_name(after.host, device);
  });
}

Comparability comparability(const ComparedReport& before, const ComparedReport& after) {
  const SideNames sides{"before", "after"};
  Comparability result;
  CaseRemarks remarks;
  for (const CasePair& pair : case_pairs(before, after)) {
    if (pair.before != nullptr && pair.after != nullptr) compare_conditions(*pair.before, *pair.after, sides, remarks);
  }
  remarks.obstacles.append_to(result.obstacles);
  remarks.caveats.append_to(result.caveats);
  check_topics(before, after, sides, result);
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
  CaseRemarks remarks;
  Grouped cautions;
  for (const MachineRow& row : table.rows) check_row(table, row, remarks, cautions);
  std::vector<const ComparedReport*> measured;
  for (const ComparedReport* report : reports_of(table)) {
    check_run(*report, result);
    if (!report->is_published()) measured.push_back(report);
  }
  cautions.append_to(result.caveats);
  remarks.obstacles.append_to(result.obstacles);
  remarks.caveats.append_to(result.caveats);
  tell_topics(measured, result.caveats);
  for (const ComparedReport* report : measured) {
    if (report == measured.front()) continue;
    check_connections(*measured.front(), *report, {"in " + measured.front()->file, "in " + report->file},
                      result.caveats);
  }
  return result;
}

}  // namespace mpsbench::report
