#include "output/console/machines_table.hpp"

#include "base/units.hpp"
#include "output/console/comparison_table.hpp"
#include "output/text/cases.hpp"
#include "output/text/figures.hpp"
#include "report/compare/compared_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

namespace mpsbench::output {
namespace {

using report::ComparedReport;
using report::MachineCell;
using report::MachineColumn;
using report::MachineRow;
using report::MachineSpeeds;
using report::MachineSummary;
using report::MachineTable;
using report::SpeedUp;
using report::SpeedUps;
using Lines = std::vector<std::string>;
using Names = std::map<const ComparedReport*, std::string>;

// Of more machines only their speeds are told, not what each of them is, nor how it compares with its CPU.
constexpr std::size_t kMostInFull = 3;
constexpr std::size_t kMostLeftOut = 5;  // that are named

// Returns "A" for the first report, "B" for the second, and so on. After "Z" come numbers.
std::string machine_letter(const MachineTable& table, const MachineColumn& column) {
  const std::vector<const ComparedReport*> reports = report::reports_of(table);
  const auto number = std::ranges::find(reports, column.report) - reports.begin();
  return number < 26 ? std::string(1, static_cast<char>('A' + number)) : std::to_string(number + 1);
}

// Returns the title of a column: "A cuda (published)".
std::string machine_title(const MachineTable& table, const MachineColumn& column) {
  return machine_letter(table, column) + " " + to_string(column.device) +
         (column.report->is_published() ? " (published)" : "");
}

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

Lines legend(const MachineTable& table) {
  Lines lines;
  const Names names = report::report_names(report::reports_of(table));
  const ComparedReport* last = nullptr;
  for (const MachineColumn& column : table.columns) {
    if (std::exchange(last, column.report) != column.report)
      lines.push_back(printable(who(table, column, names.at(column.report))));
  }
  return lines;
}

// Whether ROW has more than speed-ups, which stand in a table of their own.
bool has_times(const MachineRow& row) {
  return std::ranges::any_of(row.cells, [](const MachineCell& cell) {
    return cell.result != nullptr &&
           (cell.result->step_seconds || !cell.result->published || !cell.result->published->speed_up);
  });
}

// Returns the text of a cell: "141 ms ±0.6 %  1.31× *", or the reason if there is no time.
std::string machine_cell(const MachineCell& cell) {
  if (cell.result == nullptr) return kNone;
  const std::optional<schema::Published>& published = cell.result->published;
  const auto first_token = cell.result->value(schema::GatedMetric::first_token);
  const std::string first = first_token ? "  first token " + base::format_duration(*first_token) : std::string();
  if (!cell.result->step_seconds)
    return (published ? "not published" : truncate(failure_words(cell.result->status, cell.result->failure), 40)) +
           first;
  std::string text = value_text(cell.result, schema::GatedMetric::step);
  if (cell.speed) text += "  " + format_times(cell.speed->value) + " " + interval_text(*cell.speed);
  text += first;
  for (const char* mark : {"diverged", "not-learning", "as-published"}) {
    if (cell.result->has_flag(mark)) text += std::string("  ") + mark;
  }
  if (published && std::ranges::find(published->cautions, "no-synchronise") != published->cautions.end())
    text += "  no-synchronise";
  if (published && published->is_other_work()) text += "  other work";
  if (!cell.own_settings.empty()) text += "  " + cell.own_settings;
  return text + (cell.best ? " *" : "");
}

// A row per case and a column per machine.
Grid rows_grid(const MachineTable& table) {
  Grid grid{{"case"}, std::vector<bool>(table.columns.size() + 1, false)};
  for (const MachineColumn& column : table.columns) grid.titles.push_back(machine_title(table, column));
  const Lines names = short_names(table.rows, &MachineRow::work);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (!has_times(table.rows[i])) continue;
    Lines& cells = grid.rows.emplace_back().cells;
    cells.push_back(names[i]);
    std::ranges::transform(table.rows[i].cells, std::back_inserter(cells), machine_cell);
  }
  return grid;
}

// A row per case and machine.
Grid long_grid(const MachineTable& table) {
  Grid grid{{"case", "machine", "step"}, {false, false, false}};
  const Lines names = short_names(table.rows, &MachineRow::work);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!has_times(table.rows[i])) continue;
    for (std::size_t at = 0; at < table.columns.size(); ++at) {
      const MachineCell& cell = table.rows[i].cells[at];
      if (cell.result != nullptr)
        grid.rows.push_back({{names[i], machine_title(table, table.columns[at]), machine_cell(cell)}});
    }
  }
  return grid;
}

bool fits(const Grid& grid, std::size_t width) {
  return std::ranges::all_of(lines_of(aligned(grid, false)),
                             [=](const auto& line) { return display_width(line) <= width; });
}

// Each case in a line of its own, and below it a line per machine.
std::string blocks(const Grid& rows) {
  std::size_t widest = 0;
  for (const Grid::Row& row : rows.rows) widest = std::max(widest, display_width(row.cells[1]));
  std::string text;
  std::string last;
  for (const Grid::Row& row : rows.rows) {
    if (std::exchange(last, row.cells[0]) != row.cells[0]) text += printable(row.cells[0]) + "\n";
    text += "  " + pad_right(printable(row.cells[1]), widest) + "  " + printable(row.cells[2]) + "\n";
  }
  return text;
}

std::string factors_text(const report::Speed& speed) {
  if (speed.within_launch) return kWithinLaunch;
  return speed.ci95 ? format_factors(speed.ci95->low, speed.ci95->high) : kNone;
}

Grid speed_ups_grid(const MachineTable& table) {
  Grid grid{{"against the CPU", "device", "speed-up", "95 % interval"}, {false, false, true, true}};
  Lines works;
  for (const SpeedUps& family : table.speed_ups) {
    for (const SpeedUp& one : family.by_batch) {
      works.push_back(one.work);
      grid.rows.push_back(
          {{"", machine_title(table, family.column), format_times(one.speed.value), factors_text(one.speed)}});
    }
  }
  const Lines names = short_ids(works);
  for (std::size_t at = 0; at < names.size(); ++at) grid.rows[at].cells[0] = names[at];
  return grid;
}

// Returns lines such as "mlp/train on A cuda: crossover: 16; at batch 64 it is 3.1 times as fast". Without an
// interval at the largest batch, it is unknown from which batch size on the device is faster.
Lines crossovers(const MachineTable& table) {
  Lines lines;
  for (const SpeedUps& family : table.speed_ups) {
    const SpeedUp& largest = family.by_batch.back();
    if (!largest.speed.ci95) continue;
    const std::string lead = family.family + " on " + machine_title(table, family.column) + ": ";
    const std::string speed = speed_words(largest.speed.value);
    lines.push_back(printable(
        lead + (family.crossover
                    ? fmt::format("crossover: {}; at batch {} it is {}", *family.crossover, largest.batch_size, speed)
                    : fmt::format("no crossover up to batch {}, where it is {}", largest.batch_size, speed))));
  }
  return lines;
}

// Whether the interval of a speed is far narrower than those of its times.
bool has_narrow_speeds(const MachineTable& table) {
  return std::ranges::any_of(table.rows, [](const MachineRow& row) {
    const auto first =
        std::ranges::find_if(row.cells, [](const MachineCell& cell) { return report::is_fit(cell.result); });
    return std::ranges::any_of(row.cells, [&](const MachineCell& cell) {
      if (!cell.speed || !cell.speed->ci95) return false;
      const auto& [low, high] = *cell.speed->ci95;
      return is_far_narrower(low, high, cell.result->ci95) || is_far_narrower(low, high, first->result->ci95);
    });
  });
}

std::string joined(const Lines& lines, const std::string& lead, const std::string& end = "\n") {
  std::string text;
  for (const std::string& line : lines) text += lead + line + end;
  return text;
}

bool is_of_one_report(const MachineSummary& summary) {
  return summary.machines.empty() || summary.machines.front().column.report == summary.base;
}

// Returns "B (h200)", or the device if there is one report.
std::string subject(const MachineSummary& summary, const MachineColumn& column, const Names& names) {
  if (is_of_one_report(summary)) return to_string(column.device);
  return machine_letter(summary.shared, column) + " (" + names.at(column.report) + ")";
}

// Returns a row per machine, with its speeds against the base.
Grid machine_speeds_grid(const MachineSummary& summary) {
  const bool is_one = is_of_one_report(summary);
  const std::string base =
      is_one ? to_string(summary.base_column.device) : machine_letter(summary.shared, summary.base_column);
  Grid grid{{"against " + base, "shared cases", "median speed", "range", "file"}, {false, true, true, true, false}};
  const Names names = report::report_names(report::reports_of(summary.shared));
  if (!is_one)
    grid.rows.push_back(
        {{subject(summary, summary.base_column, names), kNone, kNone, kNone, summary.base_column.report->file}});
  for (const MachineSpeeds& machine : summary.machines) {
    if (machine.speeds.empty()) continue;
    grid.rows.push_back(
        {{subject(summary, machine.column, names), std::to_string(machine.speeds.size()), format_times(machine.median),
          format_times(machine.least) + " … " + format_times(machine.most), machine.column.report->file}});
  }
  return grid;
}

std::string speed_sentence(const MachineSummary& summary, const MachineSpeeds& machine, const Names& names) {
  const std::string lead = subject(summary, machine.column, names) + " is " +
                           speed_words(machine.median, subject(summary, summary.base_column, names));
  if (machine.speeds.size() > 1)
    return fmt::format("{} in the median of {} shared cases, {}.", lead, machine.speeds.size(), range_words(machine));
  return fmt::format("{} in the one shared case ({}).", lead, interval_text(machine.speeds.front()));
}

std::string lonely_words(const MachineSummary& summary, const Names& names) {
  std::string text = names.at(summary.lonely) + " shares no case with another report.";
  if (!summary.lonely_to_share) return text;
  return text + fmt::format(" To share one with {}, run on its machine: {}",
                            base::counted(summary.lonely_to_share->machines, "report", "reports"),
                            run_command(summary.lonely_to_share->result->id));
}

// Returns an empty text if none is left out, apart from the lonely one.
std::string left_out_words(const MachineSummary& summary, const Names& names) {
  Lines machines;
  for (const report::LeftOutMachine& machine : summary.left_out) {
    if (machine.report != summary.lonely) machines.push_back(names.at(machine.report));
  }
  if (machines.empty()) return "";
  const std::string text = fmt::format("Left out: {} no case with {}: {}",
                                       base::counted(machines.size(), "report that shares", "reports that share"),
                                       names.at(summary.base), listed(machines, {"; ", "; "}, kMostLeftOut));
  if (!summary.to_share) return text + ".";
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

// BULLET begins each line of a list; without one, as on a terminal, lines need no blank lines around them.
// TEXT_OF writes a table, and LONG_TEXT_OF one with a row per case and machine, for rows that do not fit WIDTH.
std::string machines_text(const MachineSummary& summary, std::size_t width, const std::string& bullet,
                          const std::function<std::string(const Grid&)>& text_of,
                          std::string (*long_text_of)(const Grid&)) {
  const MachineTable& table = summary.shared;
  const std::string gap = bullet.empty() ? "" : "\n";
  std::string text = joined(summary_words(summary), "", "\n" + gap);
  if (table.columns.empty()) return text;
  if (bullet.empty() && !text.empty()) text += '\n';
  const bool are_many = summary.machines.size() > kMostInFull;
  text += are_many ? text_of(machine_speeds_grid(summary)) : joined(legend(table), bullet);
  if (const Grid rows = rows_grid(table); !rows.rows.empty())
    text += '\n' + (fits(rows, width) ? text_of(rows) : long_text_of(long_grid(table))) +
            (has_narrow_speeds(table) ? gap + narrow_words("speed") + "\n" : "");
  if (table.speed_ups.empty() || are_many) return text;
  return text + "\n" + text_of(speed_ups_grid(table)) + gap + joined(crossovers(table), bullet);
}

}  // namespace

std::string machines_table(const MachineSummary& summary, bool colour, std::size_t width) {
  return machines_text(summary, width, "", [=](const Grid& grid) { return aligned(grid, colour); }, blocks);
}

std::string machines_markdown(const MachineSummary& summary) {
  return machines_text(summary, kUsualWidth, "- ", markdown, markdown);
}

Lines summary_words(const MachineSummary& summary) {
  const Names names = names_of(summary);
  Lines lines = unshared_words(summary);
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

Lines unshared_words(const MachineSummary& summary) {
  const Names names = names_of(summary);
  Lines lines;
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

std::string nearest_words(const ComparedReport& one, const ComparedReport& other) {
  const auto nearest = report::nearest_cases(one, other);
  if (!nearest) return "";
  const std::string differences = nearest->differences.empty() ? "" : ": " + listed(nearest->differences, {", "});
  return fmt::format("The nearest are {} in {} and {} in {}{}. To share one: {}", nearest->one->id, one.file,
                     nearest->other->id, other.file, differences, run_command(nearest->other->id));
}

}  // namespace mpsbench::output
