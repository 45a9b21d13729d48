#include "output/page/page_curves.hpp"

#include "output/page/page_table.hpp"
#include "output/page/svg_axes.hpp"
#include "output/page/svg_labels.hpp"
#include "output/text/interval_text.hpp"
#include "output/text/metric_columns.hpp"
#include "output/text/quoting.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace mpsbench::output {
namespace {

constexpr double kMostLabelWidth = 100;
constexpr double kLabelGap = 13;

std::string figure_text(const Curves& curves, const Figure& figure) {
  const std::string text = text_in_unit(figure.value, curves.unit);
  return figure.ci95 ? text + " " + interval_text(figure.value, figure.ci95) : text;
}

// Returns text such as "resnet50, train: time per step".
std::string name_of(const Curves& curves) {
  return curves.title + ": " + curves.figure;
}

// The end of the line on which figures grow as their place on the axis does.
Point ideal_end(const Line& line) {
  const auto& [first, figure] = *line.begin();
  const auto last = static_cast<double>(line.rbegin()->first);
  return {last, figure.value * last / static_cast<double>(first)};
}

struct CurveScales {
  Scale axis;
  Scale figure;
};

CurveScales scales_of(const Curves& curves, const Box& box) {
  const Line& first = curves.lines.begin()->second;
  double least = static_cast<double>(first.begin()->first);
  double most = least;
  schema::Interval ends = drawn_interval(first.begin()->second);
  for (const auto& [number, line] : curves.lines) {
    least = std::min(least, static_cast<double>(line.begin()->first));
    most = std::max(most, static_cast<double>(line.rbegin()->first));
    for (const auto& [at, figure] : line) {
      const schema::Interval drawn = drawn_interval(figure);
      ends = {std::min(ends.low, drawn.low), std::max(ends.high, drawn.high)};
    }
    if (curves.has_ideal) ends.high = std::max(ends.high, ideal_end(line).y);
  }
  return {log_scale(least / 1.1, most * 1.1, box.left, box.right),
          log_scale(ends.low / 1.1, ends.high * 1.1, box.bottom, box.top)};
}

std::vector<Tick> axis_ticks(const Curves& curves, const Scale& scale) {
  std::map<std::int64_t, Tick> ticks;
  for (const auto& [number, line] : curves.lines) {
    for (const auto& [at, figure] : line)
      ticks[at] = {place(scale, static_cast<double>(at)), std::to_string(at)};
  }
  std::vector<Tick> all;
  for (const auto& [at, tick] : ticks) all.push_back(tick);
  return spaced(all);
}

void draw_line(Svg& svg, const CurveScales& scales, std::size_t number, const Curves& curves,
               const std::string& name) {
  const Line& line = curves.lines.at(number);
  std::vector<Point> curve;
  for (const auto& [at, figure] : line)
    curve.push_back({place(scales.axis, static_cast<double>(at)), place(scales.figure, figure.value)});
  svg.path(curve.size() > 1 ? polyline(curve) : "", "line " + series_class(number));
  if (curves.has_ideal && curve.size() > 1) {
    const Point end = ideal_end(line);
    svg.path(segment(curve.front(), {place(scales.axis, end.x), place(scales.figure, end.y)}),
             "ideal " + series_class(number));
  }
  auto point = curve.begin();
  for (const auto& [at, figure] : line) {
    const schema::Interval drawn = drawn_interval(figure);
    const double x = point->x;
    const double low = place(scales.figure, drawn.low);
    const double high = place(scales.figure, drawn.high);
    svg.open(name + ", " + curves.axis_word + " " + std::to_string(at) + ": " + figure_text(curves, figure));
    if (low - high > 1)
      svg.path(segment({x, low}, {x, high}) + segment({x - 3, low}, {x + 3, low}) +
                   segment({x - 3, high}, {x + 3, high}),
               "whisker " + series_class(number));
    svg.path(mark_at(*point++, number), "mark " + series_class(number));
    svg.close();
  }
}

double label_width(const Curves& curves, const SeriesNames& names) {
  double width = 0;
  for (const auto& [number, line] : curves.lines) width = std::max(width, text_width(names.name(number)));
  return width;
}

// Writes labels next to the lines' ends. Returns false if there is no room for them, so that a legend is
// needed.
bool draw_labels(Svg& svg, const Box& box, const CurveScales& scales, const Curves& curves,
                 const SeriesNames& names) {
  std::vector<double> ends;
  for (const auto& [number, line] : curves.lines)
    ends.push_back(place(scales.figure, line.rbegin()->second.value));
  const auto places = label_places(ends, kLabelGap, box.top, box.bottom);
  if (!places) return false;
  auto at = places->begin();
  for (const auto& [number, line] : curves.lines)
    svg.text({box.right + 6, *at++ + 4}, Anchor::start, names.name(number), "name " + series_class(number));
  return true;
}

std::string table_of(const Curves& curves, const SeriesNames& names) {
  PageTable table{name_of(curves), {curves.axis_word}, {true}, {}};
  std::map<std::int64_t, std::vector<std::string>> rows;
  for (const auto& [number, line] : curves.lines) {
    for (const auto& [at, figure] : line) rows[at] = {std::to_string(at)};
  }
  for (const auto& [number, line] : curves.lines) {
    table.titles.push_back(names.name(number));
    table.right.push_back(true);
    for (auto& [at, cells] : rows) {
      const auto found = line.find(at);
      cells.push_back(found == line.end() ? "–" : xml_text(figure_text(curves, found->second)));
    }
  }
  for (auto& [at, cells] : rows) table.rows.push_back(std::move(cells));
  return "<details><summary>Figures</summary>" + html_of(table) + "</details>\n";
}

}  // namespace

bool has_curve(const Curves& curves) {
  return std::any_of(curves.lines.begin(), curves.lines.end(),
                     [](const auto& line) { return line.second.size() > 1; });
}

Curves& panel_named(std::vector<Curves>& panels, const Curves& empty) {
  const auto found = std::ranges::find(panels, empty.title, &Curves::title);
  return found != panels.end() ? *found : panels.emplace_back(empty);
}

std::string chart_of(const Curves& curves, const SeriesNames& names) {
  const double width = label_width(curves, names);
  const bool labelled = curves.lines.size() > 1 && width <= kMostLabelWidth;
  constexpr double kHeight = 250;
  const Box box{52, 24, kChartWidth - 12 - (labelled ? width : 0), kHeight - 34};
  const CurveScales scales = scales_of(curves, box);
  Svg svg(kChartWidth, kHeight, name_of(curves) + " against " + curves.axis + "; the figures are below");
  const bool is_time = curves.unit == "s";
  draw_y_axis(svg, box,
              ticks_of(scales.figure, round_ticks(scales.figure, 7), is_time ? tick_time : tick_count),
              curves.figure);
  draw_x_axis(svg, box, axis_ticks(curves, scales.axis), curves.axis);
  for (const auto& [number, line] : curves.lines) draw_line(svg, scales, number, curves, names.name(number));
  const bool legend = !labelled || !draw_labels(svg, box, scales, curves, names);
  std::vector<std::size_t> numbers;
  for (const auto& [number, line] : curves.lines) numbers.push_back(number);
  return "<figure><figcaption>" + xml_text(name_of(curves)) + "</figcaption>" + svg.finished() +
         (legend ? legend_of(names, numbers) : "") + table_of(curves, names) + "</figure>\n";
}

}  // namespace mpsbench::output
