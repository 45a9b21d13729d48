#include "output/console/summary_words.hpp"

#include "base/counted.hpp"
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

// Returns "12 to 960", in the unit of speed_words() if all speeds are on its side of 1.
std::string range_words(const MachineSpeeds& machine) {
  const auto number = [](double value) { return base::format_significant(value, 2); };
  if (machine.least >= 1) return number(machine.least) + " to " + number(machine.most);
  if (machine.most <= 1) return number(1 / machine.most) + " to " + number(1 / machine.least);
  return format_times(machine.least) + " to " + format_times(machine.most);
}

std::string speed_sentence(const MachineSummary& summary, const MachineSpeeds& machine, const Names& names) {
  std::string words = speed_words(machine.median);
  words += words.ends_with("slower") ? " than " : " as ";
  const std::string lead =
      subject(summary, machine.column, names) + " is " + words + subject(summary, summary.base_column, names);
  if (machine.speeds.size() > 1)
    return fmt::format("{} in the median of {} shared cases, {}.", lead, machine.speeds.size(),
                       range_words(machine));
  const report::Speed& speed = machine.speeds.front();
  return lead + " in the one shared case (" +
         (speed.within_launch ? kWithinLaunch : output::interval_text(speed.value, speed.ci95)) + ").";
}

std::string left_out_words(const MachineSummary& summary, const Names& names) {
  std::vector<std::string> machines;
  for (const report::LeftOutMachine& machine : summary.left_out) machines.push_back(names.at(machine.report));
  std::string text = fmt::format(
      "Left out: {} no case with {}: {}",
      base::counted(machines.size(), "report that shares", "reports that share"), names.at(summary.base),
      fmt::join(std::span(machines).first(std::min(machines.size(), kMostMachines)), "; "));
  if (machines.size() > kMostMachines) text += fmt::format(" and {} more", machines.size() - kMostMachines);
  if (!summary.to_share) return text + ".";
  return text +
         fmt::format(". To share one with {}: {}",
                     machines.size() == 1 ? "it" : fmt::format("{} of them", summary.to_share->machines),
                     run_command(summary.to_share->result->id));
}

}  // namespace

std::vector<std::string> summary_words(const MachineSummary& summary) {
  std::vector<const ComparedReport*> reports = report::reports_of(summary.shared);
  if (reports.empty()) reports.push_back(summary.base);
  for (const report::LeftOutMachine& machine : summary.left_out) reports.push_back(machine.report);
  const Names names = report::report_names(reports);
  std::vector<std::string> lines;
  const auto fastest = std::ranges::max_element(summary.machines, {}, &MachineSpeeds::median);
  if (fastest != summary.machines.end() && !fastest->speeds.empty())
    lines.push_back(speed_sentence(summary, *fastest, names));
  if (summary.left_out.size() == 1 && summary.machines.empty()) {
    lines.push_back("No case is in both reports. " +
                    nearest_words(*summary.base, *summary.left_out.front().report));
  } else if (!summary.left_out.empty()) {
    lines.push_back(left_out_words(summary, names));
  }
  if (lines.empty() && summary.shared.rows.empty())
    lines.emplace_back("No case was measured in two columns, so there is nothing to compare.");
  if (summary.other_rows > 0 && !summary.shared.rows.empty())
    lines.push_back(
        base::counted(summary.other_rows, "case that is not shared is", "cases that are not shared are") +
        " left out (csv and json have all).");
  for (std::string& line : lines) line = printable(line);
  return lines;
}

Grid machine_speeds_grid(const MachineSummary& summary) {
  const bool is_one = is_of_one_report(summary);
  const std::string base =
      is_one ? to_string(summary.base_column.device) : machine_letter(summary.shared, summary.base_column);
  Grid grid{{"against " + base, "shared cases", "median speed", "range", "file"},
            {false, true, true, true, false},
            {}};
  const Names names = report::report_names(report::reports_of(summary.shared));
  const auto add = [&](const report::MachineColumn& column, std::vector<std::string> figures) {
    figures.insert(figures.begin(), subject(summary, column, names));
    figures.push_back(column.report->file);
    grid.rows.push_back({std::move(figures), Paint::none});
  };
  if (!is_one) add(summary.base_column, {kNone, kNone, kNone});
  for (const MachineSpeeds& machine : summary.machines) {
    const bool has_speed = !machine.speeds.empty();
    add(machine.column,
        {std::to_string(machine.speeds.size()), has_speed ? format_times(machine.median) : kNone,
         has_speed ? format_times(machine.least) + " … " + format_times(machine.most) : kNone});
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
