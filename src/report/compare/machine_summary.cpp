#include "report/compare/machine_summary.hpp"

#include "report/compare/case_pairs.hpp"
#include "schema/case_spec.hpp"
#include "stats/summary.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <utility>

namespace mpsbench::report {

namespace {

constexpr std::size_t kMostTried = 500;  // cases of a report: trying all pairs of thousands would take long

// The parts of an id in their order, and how much each of them makes cases unlike. The device does not count.
struct Part {
  const char* name;
  int weight;
};
constexpr Part kParts[] = {{"model", 1000},   {"mode", 300},  {"device", 0},    {"batch size", 10},
                           {"precision", 30}, {"engine", 30}, {"data set", 100}};
constexpr int kOptionWeight = 20;

struct Parts {
  const ComparedCase* result = nullptr;
  std::vector<std::string> names;
  std::map<std::string, std::string> options;
};

Parts parts_of(const ComparedCase& result) {
  const schema::CaseId id = schema::CaseId(result.id).without_own_options();
  Parts parts{&result, id.parts, {}};
  if (parts.names.size() > schema::CaseId::batch)
    parts.names[schema::CaseId::batch] = std::to_string(result.spec.batch_size);
  parts.names.resize(std::size(kParts));
  for (const std::string& option : id.options) {
    const schema::IdOption one(option);
    parts.options[one.name] = one.value;
  }
  return parts;
}

std::vector<Parts> all_parts(const ComparedReport& report) {
  std::vector<Parts> all;
  for (const ComparedCase& result : std::span(report.cases).first(std::min(report.cases.size(), kMostTried)))
    all.push_back(parts_of(result));
  return all;
}

std::string value_of(const Parts& parts, const std::string& option) {
  const auto found = parts.options.find(option);
  return found == parts.options.end() ? "none" : found->second;
}

// Calls EACH with the name, weight and both values of every difference.
template <typename Each>
void differences(const Parts& one, const Parts& other, Each each) {
  for (std::size_t at = 0; at < std::size(kParts); ++at) {
    if (kParts[at].weight > 0 && one.names[at] != other.names[at])
      each(kParts[at].name, kParts[at].weight, one.names[at], other.names[at]);
  }
  std::map<std::string, std::string> options = one.options;
  options.insert(other.options.begin(), other.options.end());
  for (const auto& [name, unused] : options) {
    const std::string first = value_of(one, name);
    const std::string second = value_of(other, name);
    if (first != second) each(name, kOptionWeight, first, second);
  }
}

int distance(const Parts& one, const Parts& other) {
  int sum = 0;
  differences(one, other, [&](const std::string&, int weight, const auto&, const auto&) { sum += weight; });
  return sum;
}

// The reports that have a case in ROW.
std::set<const ComparedReport*> reports_in(const MachineTable& table, const MachineRow& row) {
  std::set<const ComparedReport*> reports;
  for (std::size_t at = 0; at < row.cells.size(); ++at) {
    if (row.cells[at].result != nullptr) reports.insert(table.columns[at].report);
  }
  return reports;
}

bool is_shared(const MachineTable& table, const MachineRow& row, const ComparedReport* base) {
  const auto cells = std::ssize(row.cells) - std::ranges::count_if(row.cells, &MachineCell::is_empty);
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

// Returns the fastest case of ROW in the columns of which KEY_OF returns KEY, or null.
template <typename Key>
const ComparedCase* fastest(const MachineTable& table, const MachineRow& row, Key MachineColumn::* key_of,
                            const Key& key) {
  const ComparedCase* best = nullptr;
  for (std::size_t at = 0; at < row.cells.size(); ++at) {
    const ComparedCase* result = row.cells[at].result;
    if (!is_fit(result) || table.columns[at].*key_of != key) continue;
    if (best == nullptr || result->step_seconds.value() < best->step_seconds.value()) best = result;
  }
  return best;
}

// Returns the speeds of the cases that FAST_OF returns for the rows compared with those of SLOW_OF. A pair of
// cases that stands in several rows counts once.
template <typename SlowOf, typename FastOf>
std::vector<PairSpeed> row_speeds(const MachineTable& table, SlowOf slow_of, FastOf fast_of) {
  std::vector<PairSpeed> speeds;
  std::set<std::pair<const ComparedCase*, const ComparedCase*>> counted;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const ComparedCase* slow = slow_of(table.rows[row]);
    const ComparedCase* fast = fast_of(table.rows[row]);
    const auto speed = speed_of(slow, fast);
    if (speed && counted.emplace(slow, fast).second) speeds.push_back({row, *speed});
  }
  return speeds;
}

// Compares the columns that share a KEY, which is their report or their device, with those of the base.
template <typename Key>
void compare_columns(Key MachineColumn::* key_of, MachineSummary& summary) {
  const MachineTable& table = summary.shared;
  std::set<Key> known{summary.base_column.*key_of};
  for (const MachineColumn& column : table.columns) {
    if (!known.insert(column.*key_of).second) continue;
    const auto fastest_in = [&](const MachineColumn& one) {
      return [&](const MachineRow& row) { return fastest(table, row, key_of, one.*key_of); };
    };
    std::vector<Speed> speeds;
    for (const PairSpeed& one : row_speeds(table, fastest_in(summary.base_column), fastest_in(column)))
      speeds.push_back(one.speed);
    summary.machines.push_back(speeds_over(column, std::move(speeds)));
  }
}

std::size_t holders(const std::vector<LeftOutMachine>& machines, const std::string& work) {
  return static_cast<std::size_t>(std::ranges::count_if(machines, [&](const LeftOutMachine& machine) {
    return std::ranges::any_of(machine.report->cases,
                               [&](const ComparedCase& one) { return without_own_options(work_of(one)) == work; });
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

// Returns all REPORTS but the first, with what would pair the first with them.
std::vector<LeftOutMachine> others_of(const std::vector<const ComparedReport*>& reports) {
  std::vector<LeftOutMachine> others;
  for (const ComparedReport* report : reports) {
    if (report != reports.front()) others.push_back({report, nearest_cases(*reports.front(), *report)});
  }
  return others;
}

}  // namespace

std::optional<NearestCases> nearest_cases(const ComparedReport& one, const ComparedReport& other) {
  const std::vector<Parts> firsts = all_parts(one);
  const std::vector<Parts> seconds = all_parts(other);
  const Parts* first = nullptr;
  const Parts* second = nullptr;
  int least = 0;
  for (const Parts& a : firsts) {
    for (const Parts& b : seconds) {
      const int far = distance(a, b);
      if (first != nullptr && far >= least) continue;
      first = &a;
      second = &b;
      least = far;
    }
  }
  if (first == nullptr) return std::nullopt;
  NearestCases nearest{first->result, second->result, {}};
  differences(*first, *second, [&](const std::string& name, int, const auto& a, const auto& b) {
    nearest.differences.push_back(name + " " + a + " and " + b);
  });
  return nearest;
}

std::vector<PairSpeed> pair_speeds(const MachineTable& table, std::size_t base, std::size_t other) {
  const auto in_column = [](std::size_t at) { return [at](const MachineRow& row) { return row.cells[at].result; }; };
  return row_speeds(table, in_column(base), in_column(other));
}

MachineSpeeds speeds_over(const MachineColumn& column, std::vector<Speed> speeds) {
  MachineSpeeds machine{column, std::move(speeds)};
  std::vector<double> values;  // logarithms, so that the middle of two speeds is the same the other way round
  for (const Speed& speed : machine.speeds) values.push_back(std::log(speed.value));
  if (values.empty()) return machine;
  std::ranges::sort(values);
  machine.median = std::exp(stats::sorted_quantile(values, 0.5));
  machine.least = std::exp(values.front());
  machine.most = std::exp(values.back());
  return machine;
}

MachineSummary machine_summary(const MachineTable& table) {
  MachineSummary summary;
  summary.base = base_of(table);
  summary.shared = part_of(table, [&](const MachineRow& row) { return is_shared(table, row, summary.base); });
  summary.other_rows = table.rows.size() - summary.shared.rows.size();
  const std::vector<const ComparedReport*> all = reports_of(table);
  const std::vector<const ComparedReport*> kept = reports_of(summary.shared);
  if (all.front() != summary.base) summary.lonely = all.front();
  for (const ComparedReport* report : all) {
    if (report != summary.lonely && report != summary.base && std::ranges::find(kept, report) == kept.end())
      summary.left_out.push_back({report, nearest_cases(*summary.base, *report)});
  }
  summary.to_share = to_share(summary.left_out);
  if (summary.lonely != nullptr) {
    summary.lonely_to_share = to_share(others_of(all));
    summary.left_out.insert(summary.left_out.begin(), {all.front(), nearest_cases(*all.front(), *summary.base)});
  }
  if (summary.shared.columns.empty()) return summary;
  const std::vector<MachineColumn>& columns = summary.shared.columns;
  summary.base_column = *std::ranges::find(columns, summary.base, &MachineColumn::report);
  if (kept.size() > 1) {
    compare_columns(&MachineColumn::report, summary);
    return summary;
  }
  const auto cpu = std::ranges::find_if(columns, [](const MachineColumn& one) { return one.device.row().is_host; });
  if (cpu != columns.end()) summary.base_column = *cpu;
  compare_columns(&MachineColumn::device, summary);
  return summary;
}

}  // namespace mpsbench::report
