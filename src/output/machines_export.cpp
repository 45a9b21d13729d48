#include "output/machines_export.hpp"

#include "base/json_file.hpp"
#include "output/quoting.hpp"

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
using report::Ratio;
using report::SpeedUp;
using report::SpeedUps;

ordered_json bound(const std::optional<Ratio>& ratio, double Ratio::* member) {
  return ratio ? ordered_json((*ratio).*member) : ordered_json(nullptr);
}

// One case on one device of one report, as both formats tell it.
ordered_json cell_fields(const MachineTable& table, const MachineRow& row, std::size_t at) {
  const MachineColumn& column = table.columns[at];
  const report::MachineCell& cell = row.cells[at];
  const bool measured = cell.result != nullptr && cell.result->step_seconds;
  return {{"work", row.work},
          {"file", column.report->file},
          {"host", column.report->host.name},
          {"device", column.device},
          {"status",
           cell.result != nullptr ? ordered_json(to_string(cell.result->status)) : ordered_json(nullptr)},
          {"step_seconds", measured ? ordered_json(*cell.result->step_seconds) : ordered_json(nullptr)},
          {"launches", cell.result != nullptr ? cell.result->launches.size() : 0},
          {"speed", bound(cell.speed, &Ratio::value)},
          {"speed_low", bound(cell.speed, &Ratio::low)},
          {"speed_high", bound(cell.speed, &Ratio::high)},
          {"best", cell.best}};
}

ordered_json family_fields(const SpeedUps& family) {
  ordered_json by_batch = ordered_json::array();
  for (const SpeedUp& one : family.by_batch)
    by_batch.push_back({{"batch_size", one.batch_size},
                        {"speed_up", one.ratio.value},
                        {"speed_up_low", one.ratio.low},
                        {"speed_up_high", one.ratio.high}});
  return {{"family", family.family},
          {"file", family.column.report->file},
          {"device", family.column.device},
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

std::string machines_json(const MachineTable& table, const std::vector<std::string>& caveats) {
  ordered_json speed_ups = ordered_json::array();
  for (const SpeedUps& family : table.speed_ups) speed_ups.push_back(family_fields(family));
  const ordered_json document{{"view", "machines"},
                              {"caveats", caveats},
                              {"cases", all_cells(table)},
                              {"speed_ups", std::move(speed_ups)}};
  return base::to_text(document, 1) + "\n";
}

}  // namespace mpsbench::output
