#include "output/console/summary_words.hpp"

#include "base/units.hpp"
#include "output/console/machines_table.hpp"
#include "output/text/columns.hpp"
#include "output/text/interval_text.hpp"
#include "output/text/run_command.hpp"
#include "output/text/text.hpp"
#include "report/compare/report_names.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <span>
#include <utility>

namespace mpsbench::output {
namespace {

using report::ComparedReport;
using report::MachineSpeeds;
using report::MachineSummary;
using Names = std::map<const ComparedReport*, std::string>;

constexpr std::size_t kMostMachines = 5;

bool is_of_one_report(const MachineSummary& summary) {
  return summary.machines.empty() || summary.machines.front().column.report == summary.base;
}

// Returns "B (h200)", or the device if there is one report.
std::string subject(const MachineSummary& summary, const report::MachineColumn& column, const Names& names) {
  if (is_of_one_report(summary)) return to_string(column.device);
  return machine_letter(summary.shared, column) + " (" + names.at(column.report) + ")";
}

std::string speed_sentence(const MachineSummary& summary, const MachineSpeeds& machine, const Names& names) {
  std::string words = speed_words(machine.median);
  words += words.ends_with("slower") ? " than " : " as ";
  const std::string lead =
      subject(summary, machine.column, names) + " is " + words + subject(summary, summary.base_column, names);
  if (machine.speeds.size() > 1)
    return fmt::format("{} in the median of {} shared cases, {}.", lead, machine.speeds.size(), range_words(machine));
  const report::Speed& speed = machine.speeds.front();
  return lead + " in the one shared case (" +
         (speed.within_launch ? kWithinLaunch : output::interval_text(speed.value, speed.ci95)) + ").";
}

std::string lonely_words(const MachineSummary& summary, const Names& names) {
  std::string text = names.at(summary.lonely) + " shares no case with another report.";
  if (!summary.to_share) return text;
  return text + fmt::format(" To share one with {}, run on its machine: {}",
                            base::counted(summary.to_share->machines, "report", "reports"),
                            run_command(summary.to_share->result->id));
}

// Returns an empty text if none is left out, apart from the lonely one.
std::string left_out_words(const MachineSummary& summary, const Names& names) {
  std::vector<std::string> machines;
  for (const report::LeftOutMachine& machine : summary.left_out) {
    if (machine.report != summary.lonely) machines.push_back(names.at(machine.report));
  }
  if (machines.empty()) return "";
  std::string text = fmt::format(
      "Left out: {} no case with {}: {}", base::counted(machines.size(), "report that shares", "reports that share"),
      names.at(summary.base), fmt::join(std::span(machines).first(std::min(machines.size(), kMostMachines)), "; "));
  if (machines.size() > kMostMachines) text += fmt::format(" and {} more", machines.size() - kMostMachines);
  if (!summary.to_share || summary.lonely != nullptr) return text + ".";
  return text + fmt::format(". To share one with {}: {}",
                            machines.size() == 1 ? "it" : fmt::format("{} of them", summary.to_share->machines),
                            run_command(summary.to_share->result->id));
}

Names names_of(const MachineSummary& summary) {
  std::vector<const ComparedReport*> reports = report::reports_of(summary.shared);
  if (reports.empty()) reports.push_back(summary.base);
  for (const report::LeftOutMachine& machine : summary.left_out) reports.push_back(machine.report);
  return report::report_names(reports);
}

}  // namespace

std::vector<std::string> summary_words(const MachineSummary& summary) {
  const Names names = names_of(summary);
  std::vector<std::string> lines = unshared_words(summary);
  const auto fastest = std::ranges::max_element(summary.machines, {}, &MachineSpeeds::median);
  if (fastest != summary.machines.end() && !fastest->speeds.empty())
    lines.insert(lines.begin() + (summary.lonely != nullptr ? 1 : 0), speed_sentence(summary, *fastest, names));
  const auto silent =
      std::ranges::count_if(summary.machines, [](const MachineSpeeds& one) { return one.speeds.empty(); });
  if (silent > 0 && std::ssize(summary.machines) > silent)
    lines.push_back(base::counted(silent, is_of_one_report(summary) ? "device has" : "report has",
                                  is_of_one_report(summary) ? "devices have" : "reports have") +
                    " no time to compare with " + subject(summary, summary.base_column, names) + ".");
  if (lines.empty() && summary.shared.rows.empty())
    lines.emplace_back("No case was measured in two columns, so there is nothing to compare.");
  if (summary.other_rows > 0 && !summary.shared.rows.empty())
    lines.push_back(base::counted(summary.other_rows, "case that is not shared is", "cases that are not shared are") +
                    " left out (csv and json have all).");
  for (std::string& line : lines) line = printable(line);
  return lines;
}

std::vector<std::string> unshared_words(const MachineSummary& summary) {
  const Names names = names_of(summary);
  std::vector<std::string> lines;
  if (summary.lonely != nullptr) lines.push_back(lonely_words(summary, names));
  if (summary.left_out.size() == 1 && summary.machines.empty()) {
    lines.push_back("No case is in both reports. " + nearest_words(*summary.base, *summary.left_out.front().report));
  } else if (std::string words = left_out_words(summary, names); !words.empty()) {
    lines.push_back(std::move(words));
  }
  return lines;
}

std::string range_words(const MachineSpeeds& machine) {
  if (machine.least >= 1) return times_text(machine.least) + " to " + times_text(machine.most);
  if (machine.most <= 1) return times_text(1 / machine.most) + " to " + times_text(1 / machine.least);
  return format_times(machine.least) + " to " + format_times(machine.most);
}

Grid machine_speeds_grid(const MachineSummary& summary) {
  const bool is_one = is_of_one_report(summary);
  const std::string base =
      is_one ? to_string(summary.base_column.device) : machine_letter(summary.shared, summary.base_column);
  Grid grid{{"against " + base, "shared cases", "median speed", "range", "file"}, {false, true, true, true, false}, {}};
  const Names names = report::report_names(report::reports_of(summary.shared));
  const auto add = [&](const report::MachineColumn& column, std::vector<std::string> figures) {
    figures.insert(figures.begin(), subject(summary, column, names));
    figures.push_back(column.report->file);
    grid.rows.push_back({std::move(figures), Paint::none});
  };
  if (!is_one) add(summary.base_column, {kNone, kNone, kNone});
  for (const MachineSpeeds& machine : summary.machines) {
    if (machine.speeds.empty()) continue;
    add(machine.column, {std::to_string(machine.speeds.size()), format_times(machine.median),
                         format_times(machine.least) + " … " + format_times(machine.most)});
  }
  return grid;
}

std::string nearest_words(const ComparedReport& one, const ComparedReport& other) {
  const auto nearest = report::nearest_cases(one, other);
  if (!nearest) return "";
  const std::string differences =
      nearest->differences.empty() ? "" : fmt::format(": {}", fmt::join(nearest->differences, ", "));
  return fmt::format("The nearest are {} in {} and {} in {}{}. To share one: {}", nearest->one->id, one.file,
                     nearest->other->id, other.file, differences, run_command(nearest->other->id));
}

}  // namespace mpsbench::output
