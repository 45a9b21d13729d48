#include "output/text/report_grid.hpp"

#include "output/text/columns.hpp"
#include "output/text/text.hpp"

#include <vector>

namespace mpsbench::output {

Grid report_grid(const schema::Report& report, std::size_t widest) {
  std::vector<Column> shown;
  Grid grid;
  for (const Column& column : columns(report)) {
    if (column.title.empty()) continue;
    grid.titles.push_back(column.title);
    grid.right.push_back(column.right);
    shown.push_back(column);
  }
  for (const schema::CaseResult& result : report.cases) {
    Grid::Row& row = grid.rows.emplace_back();
    row.last = result.status == schema::Status::ok ? Paint::remark : Paint::bad;
    for (const Column& column : shown) row.cells.push_back(truncate(cell_text(column, result), widest));
  }
  return grid;
}

}  // namespace mpsbench::output
