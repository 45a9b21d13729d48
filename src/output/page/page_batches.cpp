#include "output/page/page_batches.hpp"

#include "output/page/page_curves.hpp"
#include "output/text/columns.hpp"

#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace mpsbench::output {
namespace {

// Returns the value of METRIC for a case, or nullopt if it is not above 0.
std::optional<Figure> figure_of(const schema::MetricField& metric, const schema::CaseResult& result) {
  using Pair = std::pair<std::optional<double>, std::optional<schema::Interval>>;
  const auto of = [&result](auto member) -> Pair {
    const auto& figure = result.metrics.*member;
    if constexpr (requires { figure.median; }) {
      return {middle_of(result, figure), figure.ci95};
    } else if constexpr (requires { figure.ci95; }) {
      return {figure.value, figure.ci95};
    } else if constexpr (requires { figure.has_value(); }) {
      return {static_cast<double>(figure.value_or(0)), std::nullopt};
    } else {
      return {};  // the metric is a text
    }
  };
  const auto [value, ci95] = std::visit(of, metric.member);
  if (value.value_or(0) <= 0) return std::nullopt;
  return Figure{value.value_or(0), ci95};
}

std::vector<Curves> panels_of(const schema::MetricField& metric, const PageReports& page,
                              SeriesNames& names) {
  std::vector<Curves> panels;
  for (std::size_t at = 0; at < page.all->size(); ++at) {
    for (const schema::CaseResult& result : (*page.all)[at].cases) {
      const auto figure = figure_of(metric, result);
      if (!figure || (result.published && result.published->is_other_work())) continue;
      Curves& panel = panel_named(panels, {.title = result.spec.model + ", " + to_string(result.spec.mode),
                                           .figure = metric.about.axis,
                                           .unit = metric.about.unit,
                                           .axis = "batch size",
                                           .axis_word = "batch"});
      const std::string lead = page.several() ? page.letters[at] + " " : "";
      panel.lines[names.number(lead + series_of(result))][result.spec.batch_size] = *figure;
    }
  }
  std::erase_if(panels, [](const Curves& panel) { return !has_curve(panel); });
  return panels;
}

}  // namespace

std::string batches_section(const PageReports& page) {
  SeriesNames names;
  std::string charts;
  for (const schema::MetricField& metric : schema::metric_fields()) {
    if (*metric.about.axis == '\0') continue;
    for (const Curves& panel : panels_of(metric, page, names)) charts += chart_of(panel, names);
  }
  if (charts.empty()) return "";
  return "<section id=\"batches\"><h2>Against batch size</h2>\n<p class=\"note\">Both axes are "
         "logarithmic. Whiskers show 95 % intervals, up to a factor of 3 from the figure.</p>\n<div "
         "class=\"charts\">\n" +
         charts + "</div></section>\n";
}

}  // namespace mpsbench::output
