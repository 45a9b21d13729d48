#include "report/compare/machine_summary.hpp"

#include "report/compare/case_order.hpp"
#include "stats/summary.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace mpsbench::report {
namespace {

// The reports that have a case in ROW.
std::set<const ComparedReport*> reports_in(const MachineTable& table, const MachineRow& row) {
  std::set<const ComparedReport*> reports;
  for (std::size_t at = 0; at < row.cells.size(); ++at) {
    if (row.cells[at].result != nullptr) reports.insert(table.columns[at].report);
  }
  return reports;
}

bool is_shared(const MachineTable& table, const MachineRow& row, const ComparedReport* base) {
  const auto cells =
      std::ranges::count_if(row.cells, [](const MachineCell& cell) { return cell.result != nullptr; });
  const bool has_speed_up = std::ranges::any_of(row.cells, [](const MachineCell& cell) {
    return cell.result != nullptr && cell.result->published && cell.result->published->speed_up;
  });
  return (cells > 1 || has_speed_up) && reports_in(table, row).contains(base);
}

const ComparedReport* base_of(const MachineTable& table) {
  const std::vector<const ComparedReport*> reports = reports_of(table);
  const auto shares = [&](const ComparedReport* report) {
    return std::ranges::any_of(table.rows, [&](const MachineRow& row) {
      const auto in_row = reports_in(table, row);
      return in_row.size() > 1 && in_row.contains(report);
    });
  };
  const auto found = std::ranges::find_if(reports, shares);
  return found == reports.end() ? reports.front() : *found;
}

// Returns the fastest case of ROW in the columns that IS_OF approves, or null.
template <typename IsOf>
const ComparedCase* fastest(const MachineTable& table, const MachineRow& row, IsOf is_of) {
  const ComparedCase* best = nullptr;
  for (std::size_t at = 0; at < row.cells.size(); ++at) {
    const ComparedCase* result = row.cells[at].result;
    if (!is_fit(result) || !is_of(table.columns[at])) continue;
    if (best == nullptr || result->step_seconds.value() < best->step_seconds.value()) best = result;
  }
  return best;
}

template <typename IsBase, typename IsOf>
MachineSpeeds speeds_of(const MachineTable& table, const MachineColumn& column, IsBase is_base, IsOf is_of) {
  MachineSpeeds machine{column, {}};
  std::vector<double> values;
  std::set<std::pair<const ComparedCase*, const ComparedCase*>> counted;
  for (const MachineRow& row : table.rows) {
    const ComparedCase* slow = fastest(table, row, is_base);
    const ComparedCase* fast = fastest(table, row, is_of);
    const auto speed = speed_of(slow, fast);
    if (!speed || !counted.emplace(slow, fast).second) continue;
    machine.speeds.push_back(*speed);
    values.push_back(
        std::log(speed->value));  // so that the middle of two speeds is the same the other way round
  }
  if (values.empty()) return machine;
  std::ranges::sort(values);
  machine.median = std::exp(stats::sorted_quantile(values, 0.5));
  machine.least = std::exp(values.front());
  machine.most = std::exp(values.back());
  return machine;
}

void compare_reports(MachineSummary& summary) {
  const MachineTable& table = summary.shared;
  for (const MachineColumn& column : table.columns) {
    const bool is_known =
        column.report == summary.base || std::ranges::any_of(summary.machines, [&](const auto& one) {
          return one.column.report == column.report;
        });
    if (is_known) continue;
    summary.machines.push_back(speeds_of(
        table, column, [&](const MachineColumn& one) { return one.report == summary.base; },
        [&](const MachineColumn& one) { return one.report == column.report; }));
  }
}

void compare_devices(MachineSummary& summary) {
  const MachineTable& table = summary.shared;
  const auto cpu = std::ranges::find_if(table.columns, [](const MachineColumn& column) {
    return column.device.kind == schema::DeviceKind::cpu;
  });
  if (cpu != table.columns.end()) summary.base_column = *cpu;
  for (const MachineColumn& column : table.columns) {
    if (column.device == summary.base_column.device) continue;
    summary.machines.push_back(speeds_of(
        table, column, [&](const MachineColumn& one) { return one.device == summary.base_column.device; },
        [&](const MachineColumn& one) { return one.device == column.device; }));
  }
}

std::size_t holders(const std::vector<LeftOutMachine>& machines, const std::string& work) {
  return static_cast<std::size_t>(std::ranges::count_if(machines, [&](const LeftOutMachine& machine) {
    return std::ranges::any_of(machine.report->cases, [&](const ComparedCase& one) {
      return without_own_options(work_of(one)) == work;
    });
  }));
}

std::optional<CaseToShare> to_share(const std::vector<LeftOutMachine>& machines) {
  std::optional<CaseToShare> best;
  for (const LeftOutMachine& machine : machines) {
    if (!machine.nearest) continue;
    const ComparedCase* result = machine.nearest->other;
    const std::size_t count = holders(machines, without_own_options(work_of(*result)));
    if (!best || count > best->machines) best = CaseToShare{result, count};
  }
  return best;
}

}  // namespace

MachineSummary machine_summary(const MachineTable& table) {
  MachineSummary summary;
  summary.base = base_of(table);
  summary.shared = part_of(table, [&](const MachineRow& row) { return is_shared(table, row, summary.base); });
  summary.other_rows = table.rows.size() - summary.shared.rows.size();
  const std::vector<const ComparedReport*> kept = reports_of(summary.shared);
  for (const ComparedReport* report : reports_of(table)) {
    if (std::ranges::find(kept, report) == kept.end() && report != summary.base)
      summary.left_out.push_back({report, nearest_cases(*summary.base, *report)});
  }
  summary.to_share = to_share(summary.left_out);
  if (summary.shared.columns.empty()) return summary;
  summary.base_column = *std::ranges::find(summary.shared.columns, summary.base, &MachineColumn::report);
  if (kept.size() > 1) {
    compare_reports(summary);
  } else {
    compare_devices(summary);
  }
  return summary;
}

}  // namespace mpsbench::report
