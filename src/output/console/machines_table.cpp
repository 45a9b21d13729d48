#include "output/console/machines_table.hpp"

#include "base/units.hpp"
#include "output/console/summary_words.hpp"
#include "output/console/verdict_words.hpp"
#include "output/text/columns.hpp"
#include "output/text/interval_text.hpp"
#include "output/text/text.hpp"
#include "report/compare/report_names.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>

namespace mpsbench::output {
namespace {

using report::MachineCell;
using report::MachineColumn;
using report::MachineRow;
using report::MachineSummary;
using report::MachineTable;
using report::SpeedUp;
using report::SpeedUps;

// Of more machines only their speeds are told, not what each of them is, nor how it compares with its CPU.
constexpr std::size_t kMostInFull = 3;

// Leaves out what is not known about a published machine.
std::string who(const MachineTable& table, const MachineColumn& column, const std::string& name) {
  const schema::HostInfo& host = column.report->host;
  std::string line = machine_letter(table, column) + "  " + name;
  if (column.report->is_published()) line += " (published)";
  if (!host.cpu.model.empty()) line += " · " + host.cpu.model;
  if (host.memory_bytes > 0)
    line += fmt::format(", {:.0f} GB", std::round(static_cast<double>(host.memory_bytes) / base::kBytesPerGibibyte));
  if (!host.os.name.empty()) line += " · " + host.os.name;
  if (!host.os.version.empty()) line += " " + host.os.version;
  for (const schema::Accelerator& accelerator : host.accelerators)
    line += " · " + to_string(accelerator.device) + " " + accelerator.name;
  if (host.libtorch) line += " · LibTorch " + host.libtorch->version;
  return line + " · " + column.report->file + " · times are " +
         (column.report->is_published() ? "means" : "geometric means");
}

std::vector<std::string> legend(const MachineTable& table) {
  std::vector<std::string> lines;
  const auto names = report::report_names(report::reports_of(table));
  const report::ComparedReport* last = nullptr;
  for (const MachineColumn& column : table.columns) {
    if (column.report != last) lines.push_back(printable(who(table, column, names.at(column.report))));
    last = column.report;
  }
  return lines;
}

std::string factors_text(const report::Speed& speed) {
  if (speed.within_launch) return kWithinLaunch;
  return speed.ci95 ? format_factors(speed.ci95->low, speed.ci95->high) : kNone;
}

// Whether ROW has more than speed-ups, which stand in a table of their own.
bool has_times(const MachineRow& row) {
  return std::ranges::any_of(row.cells, [](const MachineCell& cell) {
    return cell.result != nullptr &&
           (cell.result->step_seconds || !cell.result->published || !cell.result->published->speed_up);
  });
}

// Returns the title of a column: "A cuda (published)".
std::string machine_title(const MachineTable& table, const MachineColumn& column) {
  return machine_letter(table, column) + " " + to_string(column.device) +
         (column.report->is_published() ? " (published)" : "");
}

// Returns the text of a cell: "141 ms ±0.6 %  1.31× *", or the reason if there is no time.
std::string machine_cell(const MachineCell& cell) {
  if (cell.result == nullptr) return kNone;
  const std::optional<schema::Published>& published = cell.result->published;
  if (!cell.result->step_seconds)
    return published ? "not published" : truncate(failure_words(cell.result->status, cell.result->failure), 40);
  std::string text = value_text(cell.result, schema::GatedMetric::step);
  if (cell.speed)
    text += "  " + format_times(cell.speed->value) + " " +
            (cell.speed->within_launch ? kWithinLaunch : output::interval_text(cell.speed->value, cell.speed->ci95));
  for (const char* mark : {"diverged", "not-learning", "as-published"}) {
    if (cell.result->has_flag(mark)) text += std::string("  ") + mark;
  }
  if (published && std::ranges::find(published->cautions, "no-synchronise") != published->cautions.end())
    text += "  no-synchronise";
  if (published && published->is_other_work()) text += "  other work";
  if (!cell.own_settings.empty()) text += "  " + cell.own_settings;
  return text + (cell.best ? " *" : "");
}

std::vector<std::string> names_of(const MachineTable& table) {
  std::vector<std::string> works;
  for (const MachineRow& row : table.rows) works.push_back(row.work);
  return short_ids(works);
}

// A row per case and a column per machine.
Grid rows_grid(const MachineTable& table) {
  Grid grid{{"case"}, {false}, {}};
  for (const MachineColumn& column : table.columns) {
    grid.titles.push_back(machine_title(table, column));
    grid.right.push_back(false);
  }
  const std::vector<std::string> names = names_of(table);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (!has_times(table.rows[i])) continue;
    Grid::Row& row = grid.rows.emplace_back();
    row.cells.push_back(names[i]);
    for (const MachineCell& cell : table.rows[i].cells) row.cells.push_back(machine_cell(cell));
  }
  return grid;
}

// A row per case and machine.
Grid long_grid(const MachineTable& table) {
  Grid grid{{"case", "machine", "step"}, {false, false, false}, {}};
  const std::vector<std::string> names = names_of(table);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!has_times(table.rows[i])) continue;
    for (std::size_t at = 0; at < table.columns.size(); ++at) {
      const MachineCell& cell = table.rows[i].cells[at];
      if (cell.result != nullptr)
        grid.rows.push_back({{names[i], machine_title(table, table.columns[at]), machine_cell(cell)}, Paint::none});
    }
  }
  return grid;
}

bool fits(const Grid& grid, std::size_t width) {
  const std::string text = aligned(grid, false);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    if (display_width(std::string_view(text).substr(begin, end - begin)) > width) return false;
    begin = end + 1;
  }
  return true;
}

// Each case in a line of its own, and below it a line per machine.
std::string blocks(const Grid& rows) {
  std::size_t widest = 0;
  for (const Grid::Row& row : rows.rows) widest = std::max(widest, display_width(row.cells[1]));
  std::string text;
  std::string last;
  for (const Grid::Row& row : rows.rows) {
    if (row.cells[0] != last) text += printable(row.cells[0]) + "\n";
    last = row.cells[0];
    text += "  " + pad_right(printable(row.cells[1]), widest) + "  " + printable(row.cells[2]) + "\n";
  }
  return text;
}

// Whether the largest batch's speed-up has an interval. Without one, it is unknown from which batch size on
// the device is faster.
bool is_certain(const SpeedUps& family) {
  return family.by_batch.back().speed.ci95.has_value();
}

Grid speed_ups_grid(const MachineTable& table) {
  Grid grid{{"against the CPU", "device", "speed-up", "95 % interval"}, {false, false, true, true}, {}};
  std::vector<std::string> works;
  for (const SpeedUps& family : table.speed_ups) {
    for (const SpeedUp& one : family.by_batch) works.push_back(one.work);
  }
  const std::vector<std::string> names = short_ids(works);
  std::size_t at = 0;
  for (const SpeedUps& family : table.speed_ups) {
    for (const SpeedUp& one : family.by_batch)
      grid.rows.push_back(
          {{names[at++], machine_title(table, family.column), format_times(one.speed.value), factors_text(one.speed)},
           Paint::none});
  }
  return grid;
}

// Returns lines such as "mlp/train on A cuda: crossover: 16", one for each family whose largest batch has an
// interval.
std::vector<std::string> crossovers(const MachineTable& table) {
  std::vector<std::string> families;
  for (const SpeedUps& family : table.speed_ups) families.push_back(family.family);
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < families.size(); ++i) {
    const SpeedUps& family = table.speed_ups[i];
    if (!is_certain(family)) continue;
    const SpeedUp& largest = family.by_batch.back();
    const std::string most = "batch " + std::to_string(largest.batch_size);
    const std::string lead = families[i] + " on " + machine_title(table, family.column) + ": ";
    lines.push_back(printable(
        lead +
        (family.crossover ? "crossover: " + std::to_string(*family.crossover) + "; at " : "no crossover up to ") +
        most + (family.crossover ? " it is " : ", where it is ") + speed_words(largest.speed.value)));
  }
  return lines;
}

// Says why speeds have narrow intervals, after LEAD, or nothing if none has.
std::string narrow_speeds(const MachineTable& table, const std::string& lead = "") {
  const bool is_any = std::ranges::any_of(table.rows, [](const MachineRow& row) {
    const auto first =
        std::ranges::find_if(row.cells, [](const MachineCell& cell) { return report::is_fit(cell.result); });
    return std::ranges::any_of(row.cells, [&](const MachineCell& cell) {
      if (!cell.speed || !cell.speed->ci95) return false;
      const auto& [low, high] = *cell.speed->ci95;
      return is_far_narrower(low, high, cell.result->ci95) || is_far_narrower(low, high, first->result->ci95);
    });
  });
  return is_any ? lead + narrow_words("speed") + "\n" : "";
}

std::string joined(const std::vector<std::string>& lines, const std::string& lead) {
  std::string text;
  for (const std::string& line : lines) text += lead + line + "\n";
  return text;
}

}  // namespace

std::string machine_letter(const MachineTable& table, const MachineColumn& column) {
  std::size_t number = 0;
  const report::ComparedReport* last = nullptr;
  for (const MachineColumn& other : table.columns) {
    if (last != nullptr && other.report != last) ++number;
    last = other.report;
    if (other.report == column.report) break;
  }
  return number < 26 ? std::string(1, static_cast<char>('A' + number)) : std::to_string(number + 1);
}

std::string machines_table(const MachineSummary& summary, bool colour, std::size_t width) {
  const MachineTable& table = summary.shared;
  std::string text = joined(summary_words(summary), "");
  if (table.columns.empty()) return text;
  const bool are_many = summary.machines.size() > kMostInFull;
  text += (text.empty() ? "" : "\n") +
          (are_many ? aligned(machine_speeds_grid(summary), colour) : joined(legend(table), ""));
  const Grid rows = rows_grid(table);
  if (!rows.rows.empty())
    text += "\n" + (fits(rows, width) ? aligned(rows, colour) : blocks(long_grid(table))) + narrow_speeds(table);
  if (table.speed_ups.empty() || are_many) return text;
  return text + "\n" + aligned(speed_ups_grid(table), colour) + joined(crossovers(table), "");
}

std::string machines_markdown(const MachineSummary& summary) {
  const MachineTable& table = summary.shared;
  std::string text;
  for (const std::string& line : summary_words(summary)) text += line + "\n\n";
  if (table.columns.empty()) return text;
  const bool are_many = summary.machines.size() > kMostInFull;
  text += are_many ? markdown(machine_speeds_grid(summary)) : joined(legend(table), "- ");
  const Grid rows = rows_grid(table);
  if (!rows.rows.empty())
    text += "\n" + markdown(fits(rows, kUsualWidth) ? rows : long_grid(table)) + narrow_speeds(table, "\n");
  if (table.speed_ups.empty() || are_many) return text;
  return text + "\n" + markdown(speed_ups_grid(table)) + "\n" + joined(crossovers(table), "- ");
}

}  // namespace mpsbench::output
