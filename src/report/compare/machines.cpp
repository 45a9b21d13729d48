#include "report/compare/machines.hpp"

#include "base/units.hpp"
#include "report/compare/case_pairs.hpp"
#include "schema/case_spec.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace mpsbench::report {
namespace {

constexpr std::size_t kBatchPartOfWork = schema::CaseId::batch - 1;  // the device is left out

bool is_figure(const MachineCell& cell) {
  return cell.result != nullptr && cell.result->published.has_value();
}

bool is_measured(const MachineCell& cell) {
  return !cell.is_empty() && !is_figure(cell);
}

bool has_measured(const MachineRow& row) {
  return std::ranges::any_of(row.cells, is_measured);
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
      const MachineColumn column{&report, result.spec.device};
      if (std::ranges::find(columns, column) == columns.end()) columns.push_back(column);
    }
  }
  return columns;
}

// Says how the machine did the work: "8 threads", "affinity 0-3". Empty if that is the usual way.
std::string setting_of(const schema::SpecField& field, const ComparedCase& result) {
  const std::string option = field.traits.option;
  const bool is_usual = field.member == schema::SpecField::Member(&schema::CaseSpec::threads) &&
                        !result.spec.device.row().is_host && !schema::CaseId(result.id).has_option(option);
  const nlohmann::json value = schema::value_json(field, result.spec);
  if (value.is_null() || is_usual) return "";
  if (value.is_string()) return option + " " + value.get_ref<const std::string&>();
  std::string counted = option;
  std::ranges::replace(counted, '-', ' ');
  return base::counted(value.get<std::int64_t>(), counted.substr(0, counted.size() - 1).c_str(), counted.c_str());
}

// Tells the settings in which the measured cells differ, and those that the row's name does not tell.
void tell_own_settings(MachineRow& row) {
  std::vector<MachineCell*> all;
  for (MachineCell& cell : row.cells) {
    cell.own_settings.clear();
    if (is_measured(cell) && cell.result->spec.threads > 0) all.push_back(&cell);
  }
  for (const schema::SpecField& field : schema::own_fields()) {
    const char* option = field.traits.option;
    const bool is_told = std::ranges::all_of(all, [&](const MachineCell* one) {
      return setting_of(field, *one->result) == setting_of(field, *all.front()->result) &&
             schema::CaseId(one->result->id).has_option(option) == schema::CaseId(row.work).has_option(option);
    });
    if (is_told) continue;
    for (MachineCell* cell : all) {
      const std::string setting = setting_of(field, *cell->result);
      if (!setting.empty()) cell->own_settings += (cell->own_settings.empty() ? "" : ", ") + setting;
    }
  }
}

// Returns infinity if there is no time to compare.
double seconds_of(const MachineCell& cell) {
  return is_fit(cell.result) ? cell.result->step_seconds.value() : std::numeric_limits<double>::infinity();
}

void mark(MachineRow& row) {
  const auto fits = [](const MachineCell& cell) { return is_fit(cell.result); };
  if (std::ranges::count_if(row.cells, fits) > 1) std::ranges::min_element(row.cells, {}, seconds_of)->best = true;
  const auto first = std::ranges::find_if(row.cells, fits);
  for (auto cell = first; cell != row.cells.end(); ++cell)
    if (cell != first) cell->speed = speed_of(first->result, cell->result);
  tell_own_settings(row);
}

// A row for a published figure may have the cases that repeat it with --as-published, too.
std::string published_work_of(const MachineRow& row) {
  const schema::CaseId work = schema::CaseId(row.work).without_own_options();
  const schema::CaseId plain = work.without_option("as-published");
  // Published steps of inference are means of some calls, however many.
  const bool infers = std::ranges::any_of(row.cells, [](const MachineCell& cell) {
    if (cell.result == nullptr) return false;
    const schema::ModeRow& mode = row_of(cell.result->spec.mode);
    return mode.has_network && !mode.trains;
  });
  return (plain.text() != work.text() && infers ? plain.without_option("iterations") : plain).text();
}

void put_figures_beside_repeats(std::vector<MachineRow>& rows) {
  std::map<std::string, std::size_t> places;
  for (std::size_t at = 0; at < rows.size(); ++at) places.try_emplace(rows[at].work, at);
  std::set<std::string> repeated;
  for (MachineRow& row : rows) {
    if (!has_measured(row)) continue;
    const auto theirs = places.find(published_work_of(row));
    if (theirs == places.end() || theirs->first == row.work) continue;
    const MachineRow& figures = rows[theirs->second];
    for (std::size_t at = 0; at < row.cells.size(); ++at) {
      if (row.cells[at].result == nullptr && is_figure(figures.cells[at]))
        row.cells[at].result = figures.cells[at].result;
    }
    repeated.insert(figures.work);
  }
  std::erase_if(rows, [&](const MachineRow& row) { return repeated.contains(row.work) && !has_measured(row); });
}

// The row with most cells, and of several such rows the one with the fastest.
MachineRow& fullest(std::vector<MachineRow>& rows) {
  return *std::ranges::min_element(rows, {}, [](const MachineRow& row) {
    std::int64_t cells = 0;
    double least = std::numeric_limits<double>::infinity();
    for (const MachineCell& cell : row.cells) {
      cells += cell.result != nullptr ? 1 : 0;
      least = std::min(least, seconds_of(cell));
    }
    return std::pair(-cells, least);
  });
}

// Puts into the fullest of ROWS, which have the same work, the fastest case of each column that it lacks.
void gather(std::vector<MachineRow>& rows) {
  MachineRow& most = fullest(rows);
  for (std::size_t at = 0; at < most.cells.size(); ++at) {
    if (!most.cells[at].is_empty()) continue;
    const auto fastest = std::ranges::min_element(rows, {}, [at](const MachineRow& row) {
      return std::pair(row.cells[at].is_empty(), seconds_of(row.cells[at]));
    });
    std::swap(most.cells[at], fastest->cells[at]);
  }
  std::erase_if(rows, [](const MachineRow& row) { return std::ranges::all_of(row.cells, &MachineCell::is_empty); });
}

// Names rows of the same work by it, without own options in which a row's cells differ.
void name(std::vector<MachineRow>& rows) {
  std::set<std::string> names;
  for (MachineRow& row : rows) {
    std::set<std::string> works;
    const ComparedCase* first = nullptr;
    for (const MachineCell& cell : row.cells) {
      if (cell.result == nullptr) continue;
      works.insert(work_of(*cell.result));
      if (first == nullptr) first = cell.result;
    }
    row.work = works.size() == 1 ? *works.begin() : without_own_options(*works.begin());
    const bool is_new = names.insert(row.work).second;
    if (!is_new && first != nullptr) row.work += "+threads=" + std::to_string(first->spec.threads);
  }
}

std::vector<MachineRow> rows_of(const std::vector<MachineColumn>& columns) {
  std::vector<std::vector<MachineRow>> groups;  // rows of the same work, by their own options
  std::map<std::string, std::size_t> places;
  for (std::size_t at = 0; at < columns.size(); ++at) {
    for (const ComparedCase& result : columns[at].report->cases) {
      if (result.spec.device != columns[at].device) continue;
      const std::string work = work_of(result);
      const auto [place, added] = places.try_emplace(without_own_options(work), groups.size());
      if (added) groups.emplace_back();
      std::vector<MachineRow>& group = groups[place->second];
      auto row = std::ranges::find(group, work, &MachineRow::work);
      if (row == group.end()) row = group.insert(row, {work, std::vector<MachineCell>(columns.size())});
      row->cells[at].result = &result;
    }
  }
  std::vector<MachineRow> rows;
  for (std::vector<MachineRow>& group : groups) {
    if (group.size() > 1) gather(group);
    name(group);
    for (MachineRow& row : group) rows.push_back(std::move(row));
  }
  put_figures_beside_repeats(rows);
  sort_by_batch(rows, [](const MachineRow& row) {
    const auto cell = std::ranges::find_if_not(row.cells, &MachineCell::is_empty);
    return FamilyMember{schema::CaseId(row.work).without_part(kBatchPartOfWork).text(), cell->result->spec.batch_size};
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

// Returns the speed-up of RESULT over CPU: from their times if possible, otherwise as published. Either may be null.
std::optional<Speed> speed_up_of(const ComparedCase* cpu, const ComparedCase* result) {
  if (const auto speed = speed_of(cpu, result)) return speed;
  if (result == nullptr || !result->published || !result->published->speed_up) return std::nullopt;
  return Speed{result->published->speed_up.value(), std::nullopt};
}

void add_speed_ups_of(std::size_t at, MachineTable& table) {
  const MachineColumn& column = table.columns[at];
  const auto cpu = std::ranges::find_if(table.columns, [&](const MachineColumn& other) {
    return other.report == column.report && other.device.row().is_host;
  });
  const auto cpu_at = static_cast<std::size_t>(cpu - table.columns.begin());
  std::map<std::string, std::size_t> families;
  std::set<const ComparedCase*> counted;  // a published figure may stand in several rows
  for (const MachineRow& row : table.rows) {
    const ComparedCase* result = row.cells[at].result;
    const auto speed = speed_up_of(cpu_at < row.cells.size() ? row.cells[cpu_at].result : nullptr, result);
    if (!speed || !counted.insert(result).second) continue;
    const std::string work = work_of(*result);
    const std::string family = schema::CaseId(work).without_part(kBatchPartOfWork).text();
    const auto [place, is_new] = families.try_emplace(family, table.speed_ups.size());
    if (is_new) table.speed_ups.push_back({column, family, {}, std::nullopt});
    table.speed_ups[place->second].by_batch.push_back({work, result->spec.batch_size, *speed});
  }
}

void add_speed_ups(MachineTable& table) {
  for (std::size_t at = 0; at < table.columns.size(); ++at) {
    if (!table.columns[at].device.row().is_host) add_speed_ups_of(at, table);
  }
  for (SpeedUps& family : table.speed_ups) {
    std::ranges::sort(family.by_batch, {}, &SpeedUp::batch_size);
    family.crossover = crossover_of(family.by_batch);
  }
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
  const auto difference = stats::welch(fast->logs(schema::GatedMetric::step), slow->logs(schema::GatedMetric::step));
  if (!difference) return Speed{slow->step_seconds.value() / fast->step_seconds.value(), std::nullopt, true};
  const Ratio ratio = to_ratio(*difference);
  return Speed{ratio.value, schema::Interval{ratio.low, ratio.high}};
}

std::string work_of(const ComparedCase& result) {
  return schema::CaseId(result.id).without_part(schema::CaseId::device).text();
}

std::vector<const ComparedReport*> reports_of(const MachineTable& table) {
  std::vector<const ComparedReport*> reports;
  for (const MachineColumn& column : table.columns) {
    if (reports.empty() || reports.back() != column.report) reports.push_back(column.report);
  }
  return reports;
}

MachineTable part_of(const MachineTable& table, const std::function<bool(const MachineRow&)>& keep) {
  std::vector<MachineRow> rows;
  std::ranges::copy_if(table.rows, std::back_inserter(rows), keep);
  MachineTable part;
  std::vector<std::size_t> kept;
  for (std::size_t at = 0; at < table.columns.size(); ++at) {
    if (std::ranges::all_of(rows, [&](const MachineRow& row) { return row.cells[at].is_empty(); })) continue;
    kept.push_back(at);
    part.columns.push_back(table.columns[at]);
  }
  for (MachineRow& row : rows) {
    MachineRow& narrow = part.rows.emplace_back(MachineRow{row.work, {}});
    for (const std::size_t at : kept) narrow.cells.push_back({row.cells[at].result, std::nullopt, false, {}});
    mark(narrow);
  }
  add_speed_ups(part);
  return part;
}

MachineTable machine_table(const std::vector<ComparedReport>& reports) {
  MachineTable table;
  table.columns = columns_of(reports);
  table.rows = rows_of(table.columns);
  add_speed_ups(table);
  return table;
}

}  // namespace mpsbench::report
