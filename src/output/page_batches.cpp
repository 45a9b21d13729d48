#include "output/page_batches.hpp"

#include "output/page_series.hpp"
#include "output/page_table.hpp"
#include "output/quoting.hpp"
#include "output/svg_axes.hpp"
#include "output/svg_labels.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace mpsbench::output {
namespace {

constexpr double kWidth = 360;
constexpr double kHeight = 250;
constexpr double kMostSpread = 3;  // an interval is drawn up to this factor from its time
constexpr double kMostLabelWidth = 100;
constexpr double kLabelGap = 13;

using Line = std::map<std::int64_t, StepTime>;  // by batch size

struct Panel {
  std::string title;                  // "resnet50, train"
  std::map<std::size_t, Line> lines;  // by the number of their series
};

bool has_curve(const Panel& panel) {
  return std::any_of(panel.lines.begin(), panel.lines.end(),
                     [](const auto& line) { return line.second.size() > 1; });
}

std::vector<Panel> panels_of(const PageReports& page, SeriesNames& names) {
  std::vector<Panel> panels;
  for (std::size_t at = 0; at < page.all->size(); ++at) {
    for (const schema::CaseResult& result : (*page.all)[at].cases) {
      const auto time = step_time(result);
      if (!time || (result.published && result.published->is_other_work())) continue;
      const std::string title = result.spec.model + ", " + to_string(result.spec.mode);
      auto panel = std::find_if(panels.begin(), panels.end(),
                                [&](const Panel& other) { return other.title == title; });
      if (panel == panels.end()) panel = panels.insert(panel, {title, {}});
      const std::string lead = page.several() ? page.letters[at] + " " : "";
      panel->lines[names.number(lead + series_of(result))][result.spec.batch_size] = *time;
    }
  }
  std::erase_if(panels, [](const Panel& panel) { return !has_curve(panel); });
  return panels;
}

schema::Interval drawn_interval(const StepTime& time) {
  if (!time.ci95) return {time.seconds, time.seconds};
  return {std::max(time.ci95->low, time.seconds / kMostSpread),
          std::min(time.ci95->high, time.seconds * kMostSpread)};
}

struct Scales {
  Scale batch;
  Scale time;
};

Scales scales_of(const Panel& panel, const Box& box) {
  const Line& first = panel.lines.begin()->second;
  double least_batch = static_cast<double>(first.begin()->first);
  double most_batch = least_batch;
  schema::Interval times = drawn_interval(first.begin()->second);
  for (const auto& [number, line] : panel.lines) {
    least_batch = std::min(least_batch, static_cast<double>(line.begin()->first));
    most_batch = std::max(most_batch, static_cast<double>(line.rbegin()->first));
    for (const auto& [batch, time] : line) {
      const schema::Interval drawn = drawn_interval(time);
      times = {std::min(times.low, drawn.low), std::max(times.high, drawn.high)};
    }
  }
  return {log_scale(least_batch / 1.1, most_batch * 1.1, box.left, box.right),
          log_scale(times.low / 1.1, times.high * 1.1, box.bottom, box.top)};
}

std::vector<Tick> batch_ticks(const Panel& panel, const Scale& scale) {
  std::map<std::int64_t, Tick> ticks;
  for (const auto& [number, line] : panel.lines) {
    for (const auto& [batch, time] : line)
      ticks[batch] = {place(scale, static_cast<double>(batch)), std::to_string(batch)};
  }
  std::vector<Tick> all;
  for (const auto& [batch, tick] : ticks) all.push_back(tick);
  return spaced(all);
}

void draw_line(Svg& svg, const Scales& scales, std::size_t number, const Line& line,
               const std::string& name) {
  std::vector<Point> curve;
  for (const auto& [batch, time] : line)
    curve.push_back({place(scales.batch, static_cast<double>(batch)), place(scales.time, time.seconds)});
  svg.path(curve.size() > 1 ? polyline(curve) : "", "line " + series_class(number));
  auto point = curve.begin();
  for (const auto& [batch, time] : line) {
    const schema::Interval drawn = drawn_interval(time);
    const double x = point->x;
    const double low = place(scales.time, drawn.low);
    const double high = place(scales.time, drawn.high);
    svg.open(name + ", batch " + std::to_string(batch) + ": " + time_text(time));
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

// Beside the lines' ends where there is room; false where a legend must do.
bool draw_labels(Svg& svg, const Box& box, const Scales& scales, const Panel& panel,
                 const SeriesNames& names) {
  std::vector<double> ends;
  for (const auto& [number, line] : panel.lines)
    ends.push_back(place(scales.time, line.rbegin()->second.seconds));
  const auto places = label_places(ends, kLabelGap, box.top, box.bottom);
  if (!places) return false;
  auto at = places->begin();
  for (const auto& [number, line] : panel.lines)
    svg.text({box.right + 6, *at++ + 4}, Anchor::start, names.name(number), "name " + series_class(number));
  return true;
}

std::string figures_of(const Panel& panel, const SeriesNames& names) {
  PageTable table{"Step time, " + panel.title, {"batch"}, {true}, {}};
  std::map<std::int64_t, std::vector<std::string>> rows;
  for (const auto& [number, line] : panel.lines) {
    for (const auto& [batch, time] : line) rows[batch] = {std::to_string(batch)};
  }
  for (const auto& [number, line] : panel.lines) {
    table.titles.push_back(names.name(number));
    table.right.push_back(true);
    for (auto& [batch, cells] : rows) {
      const auto found = line.find(batch);
      cells.push_back(found == line.end() ? "–" : xml_text(time_text(found->second)));
    }
  }
  for (auto& [batch, cells] : rows) table.rows.push_back(std::move(cells));
  return "<details><summary>Figures</summary>" + html_of(table) + "</details>\n";
}

std::string chart_of(const Panel& panel, const SeriesNames& names) {
  const double width = label_width(panel, names);
  const bool labelled = panel.lines.size() > 1 && width <= kMostLabelWidth;
  const Box box{52, 24, kWidth - 12 - (labelled ? width : 0), kHeight - 34};
  const Scales scales = scales_of(panel, box);
  Svg svg(kWidth, kHeight, "Step time against batch size, " + panel.title + "; the figures are below");
  draw_y_axis(svg, box, ticks_of(scales.time, round_ticks(scales.time, 7), tick_time), "time a step");
  draw_x_axis(svg, box, batch_ticks(panel, scales.batch), "batch size");
  for (const auto& [number, line] : panel.lines) draw_line(svg, scales, number, line, names.name(number));
  const bool legend = !labelled || !draw_labels(svg, box, scales, panel, names);
  std::vector<std::size_t> numbers;
  for (const auto& [number, line] : panel.lines) numbers.push_back(number);
  return "<figure><figcaption>" + xml_text(panel.title) + "</figcaption>" + svg.finished() +
         (legend ? legend_of(names, numbers) : "") + figures_of(panel, names) + "</figure>\n";
}

}  // namespace

std::string batches_section(const PageReports& page) {
  SeriesNames names;
  const std::vector<Panel> panels = panels_of(page, names);
  if (panels.empty()) return "";
  std::string text =
      "<section id=\"batches\"><h2>Time against batch size</h2>\n<p class=\"note\">Both axes are "
      "logarithmic. "
      "Bars: 95 % intervals, drawn up to 3 times the time.</p>\n<div class=\"charts\">\n";
  for (const Panel& panel : panels) text += chart_of(panel, names);
  return text + "</div></section>\n";
}

}  // namespace mpsbench::output
