#include "output/page/page_batches.hpp"

#include "output/page/page_figure.hpp"
#include "output/page/page_series.hpp"
#include "output/page/page_table.hpp"
#include "output/page/svg_axes.hpp"
#include "output/page/svg_labels.hpp"
#include "output/text/interval_text.hpp"
#include "output/text/metric_columns.hpp"
#include "output/text/quoting.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace mpsbench::output {
namespace {

constexpr double kMostLabelWidth = 100;
constexpr double kLabelGap = 13;

using Line = std::map<std::int64_t, Figure>;  // figures by batch size

struct Panel {
  const schema::MetricField* metric;
  std::string title;                  // "resnet50, train"
  std::map<std::size_t, Line> lines;  // by number of the series
};

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

std::string figure_text(const Panel& panel, const Figure& figure) {
  const std::string text = text_in_unit(figure.value, panel.metric->about.unit);
  return figure.ci95 ? text + " " + noise_text(figure) : text;
}

// Returns text such as "resnet50, train: time per step".
std::string name_of(const Panel& panel) {
  return panel.title + ": " + panel.metric->about.axis;
}

bool has_curve(const Panel& panel) {
  return std::any_of(panel.lines.begin(), panel.lines.end(),
                     [](const auto& line) { return line.second.size() > 1; });
}

std::vector<Panel> panels_of(const schema::MetricField& metric, const PageReports& page, SeriesNames& names) {
  std::vector<Panel> panels;
  for (std::size_t at = 0; at < page.all->size(); ++at) {
    for (const schema::CaseResult& result : (*page.all)[at].cases) {
      const auto figure = figure_of(metric, result);
      if (!figure || (result.published && result.published->is_other_work())) continue;
      const std::string title = result.spec.model + ", " + to_string(result.spec.mode);
      auto panel = std::find_if(panels.begin(), panels.end(),
                                [&](const Panel& other) { return other.title == title; });
      if (panel == panels.end()) panel = panels.insert(panel, {&metric, title, {}});
      const std::string lead = page.several() ? page.letters[at] + " " : "";
      panel->lines[names.number(lead + series_of(result))][result.spec.batch_size] = *figure;
    }
  }
  std::erase_if(panels, [](const Panel& panel) { return !has_curve(panel); });
  return panels;
}

struct PanelScales {
  Scale batch;
  Scale figure;
};

PanelScales scales_of(const Panel& panel, const Box& box) {
  const Line& first = panel.lines.begin()->second;
  double least_batch = static_cast<double>(first.begin()->first);
  double most_batch = least_batch;
  schema::Interval ends = drawn_interval(first.begin()->second);
  for (const auto& [number, line] : panel.lines) {
    least_batch = std::min(least_batch, static_cast<double>(line.begin()->first));
    most_batch = std::max(most_batch, static_cast<double>(line.rbegin()->first));
    for (const auto& [batch, figure] : line) {
      const schema::Interval drawn = drawn_interval(figure);
      ends = {std::min(ends.low, drawn.low), std::max(ends.high, drawn.high)};
    }
  }
  return {log_scale(least_batch / 1.1, most_batch * 1.1, box.left, box.right),
          log_scale(ends.low / 1.1, ends.high * 1.1, box.bottom, box.top)};
}

std::vector<Tick> batch_ticks(const Panel& panel, const Scale& scale) {
  std::map<std::int64_t, Tick> ticks;
  for (const auto& [number, line] : panel.lines) {
    for (const auto& [batch, figure] : line)
      ticks[batch] = {place(scale, static_cast<double>(batch)), std::to_string(batch)};
  }
  std::vector<Tick> all;
  for (const auto& [batch, tick] : ticks) all.push_back(tick);
  return spaced(all);
}

void draw_line(Svg& svg, const PanelScales& scales, std::size_t number, const Panel& panel,
               const std::string& name) {
  const Line& line = panel.lines.at(number);
  std::vector<Point> curve;
  for (const auto& [batch, figure] : line)
    curve.push_back({place(scales.batch, static_cast<double>(batch)), place(scales.figure, figure.value)});
  svg.path(curve.size() > 1 ? polyline(curve) : "", "line " + series_class(number));
  auto point = curve.begin();
  for (const auto& [batch, figure] : line) {
    const schema::Interval drawn = drawn_interval(figure);
    const double x = point->x;
    const double low = place(scales.figure, drawn.low);
    const double high = place(scales.figure, drawn.high);
    svg.open(name + ", batch " + std::to_string(batch) + ": " + figure_text(panel, figure));
    if (low - high > 1)
      svg.path(segment({x, low}, {x, high}) + segment({x - 3, low}, {x + 3, low}) +
                   segment({x - 3, high}, {x + 3, high}),
               "whisker " + series_class(number));
    svg.path(mark_at(*point++, number), "mark " + series_class(number));
    svg.close();
  }
}

double label_width(const Panel& panel, const SeriesNames& names) {
  double width = 0;
  for (const auto& [number, line] : panel.lines) width = std::max(width, text_width(names.name(number)));
  return width;
}

// Writes labels next to the lines' ends. Returns false if there is no room for them, so that a legend is
// needed.
bool draw_labels(Svg& svg, const Box& box, const PanelScales& scales, const Panel& panel,
                 const SeriesNames& names) {
  std::vector<double> ends;
  for (const auto& [number, line] : panel.lines)
    ends.push_back(place(scales.figure, line.rbegin()->second.value));
  const auto places = label_places(ends, kLabelGap, box.top, box.bottom);
  if (!places) return false;
  auto at = places->begin();
  for (const auto& [number, line] : panel.lines)
    svg.text({box.right + 6, *at++ + 4}, Anchor::start, names.name(number), "name " + series_class(number));
  return true;
}

std::string figures_of(const Panel& panel, const SeriesNames& names) {
  PageTable table{name_of(panel), {"batch"}, {true}, {}};
  std::map<std::int64_t, std::vector<std::string>> rows;
  for (const auto& [number, line] : panel.lines) {
    for (const auto& [batch, figure] : line) rows[batch] = {std::to_string(batch)};
  }
  for (const auto& [number, line] : panel.lines) {
    table.titles.push_back(names.name(number));
    table.right.push_back(true);
    for (auto& [batch, cells] : rows) {
      const auto found = line.find(batch);
      cells.push_back(found == line.end() ? "–" : xml_text(figure_text(panel, found->second)));
    }
  }
  for (auto& [batch, cells] : rows) table.rows.push_back(std::move(cells));
  return "<details><summary>Figures</summary>" + html_of(table) + "</details>\n";
}

std::string chart_of(const Panel& panel, const SeriesNames& names) {
  const double width = label_width(panel, names);
  const bool labelled = panel.lines.size() > 1 && width <= kMostLabelWidth;
  constexpr double kHeight = 250;
  const Box box{52, 24, kChartWidth - 12 - (labelled ? width : 0), kHeight - 34};
  const PanelScales scales = scales_of(panel, box);
  Svg svg(kChartWidth, kHeight, name_of(panel) + " against batch size; the figures are below");
  const bool is_time = panel.metric->about.unit == std::string_view("s");
  draw_y_axis(svg, box,
              ticks_of(scales.figure, round_ticks(scales.figure, 7), is_time ? tick_time : tick_count),
              panel.metric->about.axis);
  draw_x_axis(svg, box, batch_ticks(panel, scales.batch), "batch size");
  for (const auto& [number, line] : panel.lines) draw_line(svg, scales, number, panel, names.name(number));
  const bool legend = !labelled || !draw_labels(svg, box, scales, panel, names);
  std::vector<std::size_t> numbers;
  for (const auto& [number, line] : panel.lines) numbers.push_back(number);
  return "<figure><figcaption>" + xml_text(name_of(panel)) + "</figcaption>" + svg.finished() +
         (legend ? legend_of(names, numbers) : "") + figures_of(panel, names) + "</figure>\n";
}

}  // namespace

std::string batches_section(const PageReports& page) {
  SeriesNames names;
  std::string charts;
  for (const schema::MetricField& metric : schema::metric_fields()) {
    if (*metric.about.axis == '\0') continue;
    for (const Panel& panel : panels_of(metric, page, names)) charts += chart_of(panel, names);
  }
  if (charts.empty()) return "";
  return "<section id=\"batches\"><h2>Against batch size</h2>\n<p class=\"note\">Both axes are "
         "logarithmic. Whiskers show 95 % intervals, up to a factor of 3 from the figure.</p>\n<div "
         "class=\"charts\">\n" +
         charts + "</div></section>\n";
}

}  // namespace mpsbench::output
