#include "report/compare/machines.hpp"

#include "report/compare/case_order.hpp"
#include "report/compare/compare_verdict.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <utility>

namespace mpsbench::report {
namespace {

constexpr std::size_t kDevicePart = 2;
constexpr std::size_t kBatchPartOfWork = 2;

bool is_figure(const MachineCell& cell) {
  return cell.result != nullptr && cell.result->published.has_value();
}

// Returns the speed from two times, of which one is published. Its interval is the widest that both times'
// intervals allow.
Speed speed_of_times(const ComparedCase& slow, const ComparedCase& fast) {
  Speed speed{slow.step_seconds.value() / fast.step_seconds.value(), std::nullopt};
  speed.within_launch = slow.launches.size() == 1 || fast.launches.size() == 1;
  if (slow.ci95 && fast.ci95 && fast.ci95->low > 0)
    speed.ci95 = schema::Interval{slow.ci95->low / fast.ci95->high, slow.ci95->high / fast.ci95->low};
  return speed;
}

std::vector<MachineColumn> columns_of(const std::vector<ComparedReport>& reports) {
  std::vector<MachineColumn> columns;
  for (const ComparedReport& report : reports) {
    for (const ComparedCase& result : report.cases) {
      const bool known = std::any_of(columns.begin(), columns.end(), [&](const MachineColumn& column) {
        return column.report == &report && column.device == result.device;
      });
      if (!known) columns.push_back({&report, result.device});
    }
  }
  return columns;
}

void mark(MachineRow& row) {
  MachineCell* best = nullptr;
  std::size_t fit = 0;
  for (MachineCell& cell : row.cells) {
    if (!is_fit(cell.result)) continue;
    ++fit;
    if (best == nullptr || cell.result->step_seconds.value() < best->result->step_seconds.value())
      best = &cell;
  }
  if (best != nullptr && fit > 1) best->best = true;
  for (std::size_t i = 1; i < row.cells.size(); ++i)
    row.cells[i].speed = speed_of(row.cells.front().result, row.cells[i].result);
}

// PLACES has the positions of ROWS by their work.
void put_figures_beside_repeats(std::vector<MachineRow>& rows,
                                const std::map<std::string, std::size_t>& places) {
  std::set<std::string> repeated;
  for (MachineRow& row : rows) {
    const auto mine = std::ranges::find_if(
        row.cells, [](const MachineCell& cell) { return cell.result != nullptr && !is_figure(cell); });
    if (mine == row.cells.end()) continue;
    const auto theirs = places.find(published_work_of(*mine->result));
    if (theirs == places.end() || theirs->first == row.work) continue;
    const MachineRow& figures = rows[theirs->second];
    for (std::size_t at = 0; at < row.cells.size(); ++at) {
      if (row.cells[at].result == nullptr && is_figure(figures.cells[at]))
        row.cells[at].result = figures.cells[at].result;
    }
    repeated.insert(figures.work);
  }
  std::erase_if(rows, [&](const MachineRow& row) {
    return repeated.contains(row.work) && std::ranges::all_of(row.cells, [](const MachineCell& cell) {
             return cell.result == nullptr || is_figure(cell);
           });
  });
}

std::vector<MachineRow> rows_of(const std::vector<MachineColumn>& columns) {
  std::vector<MachineRow> rows;
  std::map<std::string, std::size_t> places;
  for (std::size_t at = 0; at < columns.size(); ++at) {
    for (const ComparedCase& result : columns[at].report->cases) {
      if (result.device != columns[at].device) continue;
      const std::string work = work_of(result);
      const auto [place, added] = places.try_emplace(work, rows.size());
      if (added) rows.push_back({work, std::vector<MachineCell>(columns.size())});
      rows[place->second].cells[at].result = &result;
    }
  }
  put_figures_beside_repeats(rows, places);
  sort_by_batch(rows, [](const MachineRow& row) {
    const auto cell =
        std::ranges::find_if(row.cells, [](const MachineCell& one) { return one.result != nullptr; });
    return FamilyMember{without_part(row.work, kBatchPartOfWork), cell->result->batch_size};
  });
  for (MachineRow& row : rows) mark(row);
  return rows;
}

std::optional<std::int64_t> crossover_of(const std::vector<SpeedUp>& by_batch) {
  std::optional<std::int64_t> crossover;
  for (auto one = by_batch.rbegin(); one != by_batch.rend(); ++one) {
    if (!one->speed.ci95 || !(one->speed.ci95->low > 1)) break;
    crossover = one->batch_size;
  }
  return crossover;
}

// Returns the speed-up of RESULT over CPU: from their times if possible, otherwise as published. Either may
// be null.
std::optional<Speed> speed_up_of(const ComparedCase* cpu, const ComparedCase* result) {
  if (const auto speed = speed_of(cpu, result)) return speed;
  if (result == nullptr || !result->published || !result->published->speed_up) return std::nullopt;
  return Speed{result->published->speed_up.value(), std::nullopt};
}

std::vector<SpeedUps> speed_ups_of(const MachineTable& table, std::size_t at) {
  const MachineColumn& column = table.columns[at];
  const auto cpu = std::find_if(table.columns.begin(), table.columns.end(), [&](const MachineColumn& other) {
    return other.report == column.report && other.device.kind == schema::DeviceKind::cpu;
  });
  if (column.device.kind == schema::DeviceKind::cpu) return {};
  const auto cpu_at = static_cast<std::size_t>(cpu - table.columns.begin());
  std::vector<SpeedUps> families;
  std::set<const ComparedCase*> counted;  // a published figure may stand in several rows
  for (const MachineRow& row : table.rows) {
    const ComparedCase* cpu_result = cpu_at < row.cells.size() ? row.cells[cpu_at].result : nullptr;
    const auto speed = speed_up_of(cpu_result, row.cells[at].result);
    const ComparedCase* result = row.cells[at].result;
    if (!speed || !counted.insert(result).second) continue;
    const std::string work = work_of(*result);
    const std::string family = without_part(work, kBatchPartOfWork);
    auto place = std::find_if(families.begin(), families.end(),
                              [&](const SpeedUps& other) { return other.family == family; });
    if (place == families.end()) place = families.insert(place, {column, family, {}, std::nullopt});
    place->by_batch.push_back({work, result->batch_size, *speed});
  }
  for (SpeedUps& family : families) {
    std::sort(family.by_batch.begin(), family.by_batch.end(),
              [](const SpeedUp& a, const SpeedUp& b) { return a.batch_size < b.batch_size; });
    family.crossover = crossover_of(family.by_batch);
  }
  return families;
}

}  // namespace

bool is_fit(const ComparedCase* result) {
  if (result == nullptr || !result->step_seconds) return false;
  if (result->has_flag("diverged") || result->has_flag("not-learning")) return false;
  return !result->published || !result->published->is_other_work();
}

std::optional<Speed> speed_of(const ComparedCase* slow, const ComparedCase* fast) {
  if (!is_fit(slow) || !is_fit(fast)) return std::nullopt;
  if (slow->published || fast->published) return speed_of_times(*slow, *fast);
  const auto difference = stats::welch(log_values(*fast, schema::GatedMetric::step),
                                       log_values(*slow, schema::GatedMetric::step));
  if (!difference) return Speed{slow->step_seconds.value() / fast->step_seconds.value(), std::nullopt, true};
  const Ratio ratio = to_ratio(*difference);
  return Speed{ratio.value, schema::Interval{ratio.low, ratio.high}};
}

std::string work_of(const ComparedCase& result) {
  return without_part(result.id, kDevicePart);
}

std::string published_work_of(const ComparedCase& result) {
  std::string work = work_of(result);
  for (const char* option : {"threads", "interop-threads", "affinity"}) work = without_option(work, option);
  const std::string plain = without_option(work, "as-published");
  // Published steps of inference are means of some calls, however many.
  const bool infers = work.find("/infer/") != std::string::npos;
  return plain != work && infers ? without_option(plain, "iterations") : plain;
}

bool has_shared_row(const MachineTable& table) {
  return std::ranges::any_of(table.rows, [](const MachineRow& row) {
    return std::ranges::count_if(row.cells, [](const MachineCell& cell) { return cell.result != nullptr; }) >
           1;
  });
}

MachineTable machine_table(const std::vector<ComparedReport>& reports) {
  MachineTable table;
  table.columns = columns_of(reports);
  table.rows = rows_of(table.columns);
  for (std::size_t at = 0; at < table.columns.size(); ++at) {
    for (SpeedUps& family : speed_ups_of(table, at)) table.speed_ups.push_back(std::move(family));
  }
  return table;
}

}  // namespace mpsbench::report
