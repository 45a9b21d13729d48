#include "output/export/machines_export.hpp"

#include "base/json_file.hpp"
#include "output/text/quoting.hpp"
#include "output/text/run_command.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <optional>
#include <utility>

namespace mpsbench::output {
namespace {

using nlohmann::ordered_json;
using report::MachineColumn;
using report::MachineRow;
using report::MachineTable;
using report::Speed;
using report::SpeedUp;
using report::SpeedUps;

ordered_json bound(const std::optional<Speed>& speed, double schema::Interval::* member) {
  return speed && speed->ci95 ? ordered_json((*speed->ci95).*member) : ordered_json(nullptr);
}

// Returns the cautions about a published figure, as one text.
ordered_json cautions_of(const report::ComparedCase* result) {
  if (result == nullptr || !result->published) return nullptr;
  std::string text;
  for (const std::string& caution : result->published->cautions) text += (text.empty() ? "" : " ") + caution;
  return text;
}

// Returns the fields of one case on one device of one report, in both formats.
ordered_json cell_fields(const MachineTable& table, const MachineRow& row, std::size_t at) {
  const MachineColumn& column = table.columns[at];
  const report::MachineCell& cell = row.cells[at];
  const bool measured = cell.result != nullptr && cell.result->step_seconds;
  return {{"work", row.work},
          {"file", column.report->file},
          {"host", column.report->host.name},
          {"device", to_string(column.device)},
          {"status",
           cell.result != nullptr ? ordered_json(to_string(cell.result->status)) : ordered_json(nullptr)},
          {"step_seconds", measured ? ordered_json(*cell.result->step_seconds) : ordered_json(nullptr)},
          {"launches", cell.result != nullptr ? cell.result->launches.size() : 0},
          {"speed", cell.speed ? ordered_json(cell.speed->value) : ordered_json(nullptr)},
          {"speed_low", bound(cell.speed, &schema::Interval::low)},
          {"speed_high", bound(cell.speed, &schema::Interval::high)},
          {"best", cell.best},
          {"published", cell.result != nullptr && cell.result->published.has_value()},
          {"cautions", cautions_of(cell.result)},
          {"within_launch", cell.speed && cell.speed->within_launch},
          {"own_settings", cell.own_settings}};
}

ordered_json summary_fields(const report::MachineSummary& summary) {
  ordered_json machines = ordered_json::array();
  for (const report::MachineSpeeds& one : summary.machines) {
    const auto known = [&](double speed) {
      return one.speeds.empty() ? ordered_json(nullptr) : ordered_json(speed);
    };
    machines.push_back({{"file", one.column.report->file},
                        {"host", one.column.report->host.name},
                        {"device", to_string(one.column.device)},
                        {"shared_cases", one.speeds.size()},
                        {"median_speed", known(one.median)},
                        {"least_speed", known(one.least)},
                        {"most_speed", known(one.most)}});
  }
  ordered_json left_out = ordered_json::array();
  for (const report::LeftOutMachine& one : summary.left_out)
    left_out.push_back({{"file", one.report->file},
                        {"host", one.report->host.name},
                        {"command", one.nearest ? ordered_json(run_command(one.nearest->other->id))
                                                : ordered_json(nullptr)}});
  return {{"base", summary.base->file}, {"machines", std::move(machines)}, {"left_out", std::move(left_out)}};
}

ordered_json family_fields(const SpeedUps& family) {
  ordered_json by_batch = ordered_json::array();
  for (const SpeedUp& one : family.by_batch)
    by_batch.push_back({{"batch_size", one.batch_size},
                        {"speed_up", one.speed.value},
                        {"speed_up_low", bound(one.speed, &schema::Interval::low)},
                        {"speed_up_high", bound(one.speed, &schema::Interval::high)},
                        {"within_launch", one.speed.within_launch}});
  return {{"family", family.family},
          {"file", family.column.report->file},
          {"device", to_string(family.column.device)},
          {"by_batch", std::move(by_batch)},
          {"crossover", family.crossover ? ordered_json(*family.crossover) : ordered_json(nullptr)}};
}

std::vector<ordered_json> all_cells(const MachineTable& table) {
  std::vector<ordered_json> cells;
  for (const MachineRow& row : table.rows) {
    for (std::size_t at = 0; at < row.cells.size(); ++at) cells.push_back(cell_fields(table, row, at));
  }
  return cells;
}

}  // namespace

std::string machines_csv(const MachineTable& table) {
  return csv_of(all_cells(table));
}

std::string machines_json(const MachineTable& table, const report::MachineSummary& summary,
                          const std::vector<std::string>& caveats) {
  ordered_json speed_ups = ordered_json::array();
  for (const SpeedUps& family : table.speed_ups) speed_ups.push_back(family_fields(family));
  const ordered_json document{{"view", "machines"},
                              {"caveats", caveats},
                              {"summary", summary_fields(summary)},
                              {"cases", all_cells(table)},
                              {"speed_ups", std::move(speed_ups)}};
  return base::to_text(document, 1) + "\n";
}

}  // namespace mpsbench::output
