#include "output/page/page_verdicts.hpp"

#include "output/console/comparison_table.hpp"
#include "output/console/verdict_words.hpp"
#include "output/page/page_table.hpp"
#include "output/page/svg.hpp"
#include "output/page/svg_scale.hpp"
#include "output/text/quoting.hpp"
#include "report/compare/comparability.hpp"
#include "report/compare/compare.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace mpsbench::output {
namespace {

using report::Comparison;
using report::Ratio;

constexpr double kMostChange = 0.5;  // the largest change that is drawn; larger ones end at the edge
constexpr double kMarkWidth = 150;
constexpr double kMarkHeight = 18;

// All rows have the scale of the widest interval, so that they can be compared.
Scale scale_of(const Comparison& comparison) {
  double most = 0;
  for (const report::CaseComparison& pair : comparison.cases) {
    most = std::max(most, 2 * pair.threshold);
    if (pair.ratio) most = std::max({most, 1 - pair.ratio->low, pair.ratio->high - 1});
  }
  most = std::min(most, kMostChange);
  return linear_scale(1 - most, 1 + most, 2, kMarkWidth - 2);
}

std::string interval_chart(const Ratio& ratio, const Scale& scale, double threshold) {
  Svg svg(kMarkWidth, kMarkHeight, format_change(ratio.value));
  const double left = place(scale, 1 - threshold);
  svg.rect({left, 0}, place(scale, 1 + threshold) - left, kMarkHeight, "band");
  svg.path(segment({place(scale, 1), 0}, {place(scale, 1), kMarkHeight}), "zero");
  svg.path(segment({place(scale, ratio.low), kMarkHeight / 2}, {place(scale, ratio.high), kMarkHeight / 2}),
           "bar");
  svg.path(segment({place(scale, ratio.value), 4}, {place(scale, ratio.value), kMarkHeight - 4}), "tip");
  return svg.finished();
}

// Moves the verdict next to the case, so that a phone shows it without scrolling.
template <typename T>
void last_to_second(std::vector<T>& columns) {
  std::rotate(columns.begin() + 1, columns.end() - 1, columns.end());
}

PageTable table_of(const Comparison& comparison) {
  PageTable table = page_table(
      comparison.has_other_metrics() ? "Changes from A to B" : "Change of the step's time from A to B",
      comparison_grid(comparison));
  const Scale scale = scale_of(comparison);
  last_to_second(table.titles);
  last_to_second(table.right);
  table.titles.push_back(fmt::format("±{:.3g} %", (scale.high - 1) * 100));
  table.right.push_back(false);
  for (std::size_t at = 0; at < table.rows.size(); ++at) {
    const bool is_case = at < comparison.cases.size();
    const auto& ratio = is_case ? comparison.cases[at].ratio : comparison.mean;
    const double threshold = is_case ? comparison.cases[at].threshold : report::kThreshold;
    last_to_second(table.rows[at]);
    table.rows[at].push_back(ratio ? interval_chart(*ratio, scale, threshold) : "");
  }
  return table;
}

std::string judged(const PageReports& page, const std::vector<std::string>& caveats) {
  const report::CompareRules rules;
  const Comparison comparison = report::compare(page.compared[0], page.compared[1], rules);
  std::string text;
  std::vector<std::string> undecided;
  for (std::string rest = comparison_summary(comparison); !rest.empty();) {
    const std::size_t end = rest.find('\n');
    const std::string line = rest.substr(0, end);
    if (line.starts_with("- ")) {
      undecided.push_back(line.substr(2));
    } else {
      text += "<p>" + xml_text(line) + "</p>\n";
    }
    rest.erase(0, end + 1);
  }
  return text + list_of(undecided) + html_of(table_of(comparison)) +
         fmt::format(
             "<p class=\"note\">Bars are 95 % intervals. The shaded band is {}, the smallest change that "
             "matters. Slower means that a step takes longer. The accepted chance of at least one false "
             "verdict (slower or faster) over all {} is {:g} %.</p>\n",
             threshold_text(comparison), comparison.has_other_metrics() ? "cases and metrics" : "cases",
             rules.alpha * 100) +
         list_of(caveats);
}

}  // namespace

std::string verdicts_section(const PageReports& page) {
  if (page.compared.size() != 2) return "";
  const report::ComparedReport& before = page.compared[0];
  const report::ComparedReport& after = page.compared[1];
  const bool published = before.is_published() || after.is_published();
  if (published || before.run_id == after.run_id || !report::same_machine(before, after)) return "";
  const report::Comparability found = report::comparability(before, after);
  const std::string lead = "<section id=\"verdicts\"><h2>Verdicts</h2>\n";
  if (found.obstacles.empty()) return lead + judged(page, found.caveats) + "</section>\n";
  return lead + "<p>The reports cannot be compared:</p>\n" + list_of(found.obstacles) + "</section>\n";
}

}  // namespace mpsbench::output
