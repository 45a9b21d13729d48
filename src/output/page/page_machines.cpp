#include "output/page/page_machines.hpp"

#include "output/console/machines_table.hpp"
#include "output/page/page_table.hpp"
#include "output/text/quoting.hpp"
#include "output/text/short_ids.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

namespace mpsbench::output {
namespace {

using report::MachineCell;
using report::MachineRow;
using report::MachineTable;

double fastest_seconds(const MachineRow& row) {
  double least = std::numeric_limits<double>::infinity();
  for (const MachineCell& cell : row.cells) {
    if (cell.result != nullptr) least = std::min(least, cell.result->step_seconds.value_or(least));
  }
  return least;
}

// The bar shows the speed. The bar of the row's fastest cell has the whole width.
std::string cell_html(MachineCell cell, double fastest) {
  const bool best = cell.best;
  cell.best = false;
  std::string text = xml_text(machine_cell(cell));
  if (best) text += " <b class=\"good\">best</b>";
  if (cell.result == nullptr || !cell.result->step_seconds) return text;
  const double share = std::clamp(fastest / *cell.result->step_seconds, 0.0, 1.0);
  return text + fmt::format("<i class=\"speed\"><i style=\"width:{:.0f}%\"></i></i>", share * 100);
}

PageTable table_of(const MachineTable& machines) {
  PageTable table{
      "Step times of the same work; speeds are relative to the first time of a row", {"case"}, {false}, {}};
  for (const report::MachineColumn& column : machines.columns) {
    table.titles.push_back(machine_title(machines, column));
    table.right.push_back(false);
  }
  std::vector<std::string> works;
  for (const MachineRow& row : machines.rows) works.push_back(row.work);
  const std::vector<std::string> names = short_ids(works);
  for (std::size_t at = 0; at < names.size(); ++at) {
    std::vector<std::string>& row = table.rows.emplace_back();
    row.push_back(breakable(names[at]));
    const double fastest = fastest_seconds(machines.rows[at]);
    for (const MachineCell& cell : machines.rows[at].cells) row.push_back(cell_html(cell, fastest));
  }
  return table;
}

std::string titled_list(const std::string& title, const std::vector<std::string>& lines) {
  return lines.empty() ? "" : "<p>" + title + "</p>" + list_of(lines);
}

}  // namespace

std::string machines_section(const PageReports& page) {
  const MachineTable& machines = page.machines;
  if (machines.columns.size() < 2) return "";
  std::string text = "<section id=\"machines\"><h2>Machines and devices</h2>\n";
  text += titled_list("Not the same work:", page.comparability.obstacles);
  text += html_of(table_of(machines));
  text += "<p class=\"note\">Bars show the speed; the fastest in a row has the whole width.</p>\n";
  if (!machines.speed_ups.empty()) {
    text += html_of(page_table("Each device compared with the CPU of its machine", speed_ups_grid(machines)));
    text +=
        titled_list("Smallest batch size from which the device is certainly faster:", crossovers(machines));
  }
  return text + titled_list("Please note:", page.comparability.caveats) + "</section>\n";
}

}  // namespace mpsbench::output
