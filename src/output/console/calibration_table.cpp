#include "output/console/calibration_table.hpp"

#include "base/units.hpp"
#include "output/text/grid.hpp"
#include "output/text/short_ids.hpp"

#include <fmt/core.h>

namespace mpsbench::output {
namespace {

std::string percent(double share) {
  return fmt::format("±{} %", base::format_significant(share * 100, 2));
}

}  // namespace

std::string calibration_table(const std::vector<report::CalibratedCase>& cases) {
  Grid grid{{"case", "launches per run", "launch spread", "run spread", "two equal runs differ by up to"},
            {false, true, true, true, true},
            {}};
  std::vector<std::string> ids;
  for (const report::CalibratedCase& one : cases) ids.push_back(one.id);
  const std::vector<std::string> names = short_ids(ids);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& spread = cases[i].spread;
    std::vector<std::string> cells{names[i], base::format_count(cases[i].launches), "–", "–",
                                   "too few good launches"};
    if (spread)
      cells = {names[i], base::format_count(cases[i].launches), percent(spread->launch), percent(spread->run),
               percent(spread->between(cases[i].launches, cases[i].launches))};
    grid.rows.push_back({std::move(cells), spread ? Paint::none : Paint::remark});
  }
  return aligned(grid, false) +
         "Spreads are standard deviations; the last column holds for 99 of 100 pairs of runs. If you compare "
         "reports\nof this machine with as many launches each, smaller changes of these cases are "
         "undecided.\n";
}

}  // namespace mpsbench::output
