#include "output/page/page_speeds.hpp"

#include "output/page/page_table.hpp"
#include "output/page/svg_dots.hpp"
#include "output/text/interval_text.hpp"
#include "output/text/quoting.hpp"
#include "output/text/short_ids.hpp"
#include "output/text/text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <utility>

namespace mpsbench::output {
namespace {

constexpr std::size_t kMostDots = 24;

using report::MachineCell;
using report::MachineColumn;
using report::MachineRow;
using report::MachineTable;

// The reports that share work with a report, and how often each of its devices is its fastest at this work.
struct Sharing {
  std::set<const report::ComparedReport*> others;
  std::map<std::size_t, std::size_t> wins;  // by column
};

Sharing sharing_of(const MachineTable& table, const report::ComparedReport* own) {
  Sharing sharing;
  for (const MachineRow& row : table.rows) {
    const auto fastest = fastest_column(table, row, own);
    if (!fastest) continue;
    for (std::size_t at = 0; at < row.cells.size(); ++at) {
      if (table.columns[at].report == own || !report::is_fit(row.cells[at].result)) continue;
      sharing.others.insert(table.columns[at].report);
      ++sharing.wins[*fastest];
    }
  }
  return sharing;
}

std::optional<std::size_t> base_between_reports(const MachineTable& table) {
  std::vector<Sharing> all;
  std::size_t most = 0;
  for (const MachineColumn& column : table.columns) {
    all.push_back(sharing_of(table, column.report));
    most = std::max(most, all.back().others.size());
  }
  if (most == 0) return std::nullopt;
  const auto first =
      std::ranges::find_if(all, [most](const Sharing& sharing) { return 2 * sharing.others.size() >= most; });
  return std::ranges::max_element(first->wins, {}, [](const auto& wins) { return wins.second; })->first;
}

std::optional<std::size_t> base_within_report(const MachineTable& table) {
  for (const MachineRow& row : table.rows) {
    std::vector<std::size_t> fit;
    for (std::size_t at = 0; at < row.cells.size(); ++at) {
      if (report::is_fit(row.cells[at].result)) fit.push_back(at);
    }
    if (fit.size() < 2) continue;
    const auto cpu = std::ranges::find_if(
        fit, [&table](std::size_t at) { return table.columns[at].device.kind == schema::DeviceKind::cpu; });
    return cpu == fit.end() ? fit.front() : *cpu;
  }
  return std::nullopt;
}

std::string column_title(const PageReports& page, std::size_t at) {
  const MachineColumn& column = page.machines.columns[at];
  return (page.several() ? column.report->file + " " : "") + device_title(column.report->host, column.device);
}

// Groups the speeds by work or by device, whichever gives fewer groups.
std::vector<DotGroup> grouped(const PageReports& page, const std::vector<PageSpeed>& speeds,
                              const std::vector<std::string>& works, SeriesNames& names) {
  std::map<std::size_t, DotGroup> by_work;
  std::map<std::size_t, DotGroup> by_device;
  for (const PageSpeed& one : speeds) {
    const std::string& work = works[one.row];
    const std::string device = column_title(page, one.column);
    const Figure figure{one.speed.value, one.speed.ci95};
    Dot dot{device, format_times(figure.value) + " " + interval_text(figure.value, figure.ci95), figure,
            names.number(device)};
    DotGroup& same_work = by_work[one.row];
    same_work.name = work.substr(0, work.find('+'));
    same_work.common = options_of(work);
    same_work.dots.push_back(dot);
    dot.label = work;
    by_device[one.column].name = device;
    by_device[one.column].dots.push_back(dot);
  }
  std::vector<DotGroup> groups;
  for (auto& [number, group] : by_work.size() <= by_device.size() ? by_work : by_device) {
    std::ranges::stable_sort(group.dots, std::greater<>(), [](const Dot& dot) { return dot.figure.value; });
    groups.push_back(std::move(group));
  }
  return groups;
}

std::string figures_of(const PageReports& page, const std::vector<PageSpeed>& speeds,
                       const std::vector<std::string>& works) {
  PageTable table{"Speeds", {"case", "device", "speed", "95 % interval"}, {false, false, true, true}, {}};
  for (const PageSpeed& one : speeds) {
    const auto& ci95 = one.speed.ci95;
    table.rows.push_back({breakable(works[one.row]), xml_text(column_title(page, one.column)),
                          format_times(one.speed.value),
                          ci95 ? format_factors(ci95->low, ci95->high) : kNone});
  }
  return "<details><summary>Figures</summary>" + html_of(table) + "</details>\n";
}

}  // namespace

std::optional<std::size_t> fastest_column(const MachineTable& table, const MachineRow& row,
                                          const report::ComparedReport* own) {
  std::optional<std::size_t> fastest;
  for (std::size_t at = 0; at < row.cells.size(); ++at) {
    const report::ComparedCase* result = row.cells[at].result;
    if (table.columns[at].report != own || !report::is_fit(result)) continue;
    if (!fastest || result->step_seconds.value() < row.cells[*fastest].result->step_seconds.value())
      fastest = at;
  }
  return fastest;
}

std::optional<PageSpeeds> page_speeds(const PageReports& page) {
  const MachineTable& table = page.machines;
  if (!page.comparability.obstacles.empty()) return std::nullopt;
  const auto between = base_between_reports(table);
  const auto base = between ? between : base_within_report(table);
  if (!base) return std::nullopt;
  PageSpeeds speeds{*base, {}};
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::vector<MachineCell>& cells = table.rows[row].cells;
    for (std::size_t column = 0; column < cells.size(); ++column) {
      const auto speed = report::speed_of(cells[*base].result, cells[column].result);
      if (column != *base && speed && std::isfinite(speed->value) && speed->value > 0)
        speeds.speeds.push_back({row, column, *speed});
    }
  }
  if (speeds.speeds.empty()) return std::nullopt;
  // The work that most devices did comes first.
  std::map<std::size_t, std::size_t> counts;
  for (const PageSpeed& one : speeds.speeds) ++counts[one.row];
  std::ranges::stable_sort(speeds.speeds, std::greater<>(),
                           [&counts](const PageSpeed& one) { return counts[one.row]; });
  return speeds;
}

std::string speeds_section(const PageReports& page, const PageSpeeds& speeds, SeriesNames& names) {
  std::vector<std::string> works;
  for (const MachineRow& row : page.machines.rows) works.push_back(row.work);
  works = short_ids(works);
  const std::vector<PageSpeed> drawn(
      speeds.speeds.begin(),
      speeds.speeds.begin() + static_cast<std::ptrdiff_t>(std::min(kMostDots, speeds.speeds.size())));
  const std::string base = column_title(page, speeds.base);
  const DotAxis axis{"times as fast", [](double value) { return tick_count(value) + "×"; }, 1.0};
  const std::string title = "Speeds compared with " + base;
  std::string text =
      "<section id=\"speeds\"><h2>Speeds</h2>\n<div class=\"pictures\">\n<figure><figcaption>" +
      xml_text(title) + "</figcaption>" +
      dot_chart(grouped(page, drawn, works, names), axis, title + "; the figures are below") +
      figures_of(page, drawn, works) + "</figure>\n</div>\n<p class=\"note\">" +
      "Each dot is the speed at one case that both devices ran; the dashed line is the speed of " +
      xml_text(base) + ".";
  if (drawn.size() < speeds.speeds.size())
    text += fmt::format(" {} of {} speeds are drawn; the others follow from the table of times.",
                        drawn.size(), speeds.speeds.size());
  return text + "</p>\n</section>\n";
}

}  // namespace mpsbench::output
