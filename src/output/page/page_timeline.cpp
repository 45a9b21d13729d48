#include "output/page/page_timeline.hpp"

#include "output/page/page_reports.hpp"
#include "output/page/svg_axes.hpp"
#include "output/page/svg_labels.hpp"
#include "output/page/thinning.hpp"
#include "report/metrics/flags.hpp"
#include "stats/summary.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

namespace mpsbench::output {
namespace {

constexpr Box kBox{52, 28, kChartWidth - 4, 156};
constexpr std::size_t kMostTimelines = 20;
constexpr std::size_t kFewPoints = 24;  // up to this number, points are also shown as dots
constexpr double kGap = 3;              // gap between launches

std::vector<double> warmup_of(const schema::Launch& launch) {
  std::vector<double> values;
  if (launch.first_step_seconds) values.push_back(*launch.first_step_seconds);
  values.insert(values.end(), launch.warmup_samples_seconds.begin(), launch.warmup_samples_seconds.end());
  return values;
}

// Returns a scale for nearly all samples. The slowest few, most of which are in the warm-up, would squeeze
// the rest together.
Scale scale_of(const schema::CaseResult& result) {
  std::vector<double> samples;
  for (const schema::Launch& launch : result.launches)
    samples.insert(samples.end(), launch.samples_seconds.begin(), launch.samples_seconds.end());
  if (samples.empty()) {
    for (const schema::Launch& launch : result.launches) {
      const std::vector<double> warmup = warmup_of(launch);
      samples.insert(samples.end(), warmup.begin(), warmup.end());
    }
  }
  if (samples.empty()) return linear_scale(0, 1, kBox.bottom, kBox.top);
  std::sort(samples.begin(), samples.end());
  const double middle = stats::sorted_quantile(samples, 0.5);
  const double high = std::max(stats::sorted_quantile(samples, 0.99), 1.1 * middle);
  const double low = std::min(samples.front(), 0.9 * middle);
  return linear_scale(low - 0.1 * (high - low), high + 0.15 * (high - low), kBox.bottom, kBox.top);
}

// Draws VALUES evenly spaced from LEFT to RIGHT.
void draw_values(Svg& svg, const Scale& scale, double left, double right, const std::vector<double>& values,
                 std::size_t most_points, const std::string& css_class) {
  std::vector<Point> points = thinned(values, most_points);
  std::string dots;
  std::string beyond;
  const double width = (right - left) / static_cast<double>(values.size());
  double free_from = left;  // where the next mark of a value beyond the axis may be
  for (Point& point : points) {
    const double x = left + (point.x + 0.5) * width;
    if (point.y > scale.high && x >= free_from) {
      beyond += polyline({{x, kBox.top}, {x + 3, kBox.top + 5}, {x - 3, kBox.top + 5}}) + "z";
      free_from = x + 8;
    }
    point = {x, place(scale, point.y)};
    if (values.size() <= kFewPoints) dots += "M" + coordinate(point.x) + " " + coordinate(point.y) + "h0";
  }
  svg.path(points.size() > 1 ? polyline(points) : "", "trace " + css_class);
  svg.path(dots, "dots " + css_class);
  svg.path(beyond, "beyond " + css_class);
}

void draw_launch(Svg& svg, const Scale& scale, double left, double right, const schema::Launch& launch,
                 std::size_t most_points) {
  const std::vector<double> warmup = warmup_of(launch);
  const std::vector<double>& samples = launch.samples_seconds;
  if (warmup.empty() && samples.empty()) {
    const std::string status = to_string(launch.status);
    if (text_width(status) < right - left)
      svg.text({(left + right) / 2, (kBox.top + kBox.bottom) / 2}, Anchor::middle, status, "axis");
    return;
  }
  double split = left;
  if (!warmup.empty()) {
    const double share =
        static_cast<double>(warmup.size()) / static_cast<double>(warmup.size() + samples.size());
    split = left + (right - left) * (samples.empty() ? 1 : std::clamp(share, 0.12, 0.3));
    svg.rect({left, kBox.top}, split - left, kBox.bottom - kBox.top, "warmup");
    draw_values(svg, scale, left, split, warmup, most_points / 6, "quiet");
  }
  if (!samples.empty()) {
    draw_values(svg, scale, split, right, samples, most_points, "");
    const double median = place(scale, stats::median_of(samples));
    svg.path(segment({split, median}, {right, median}), "median");
  }
  if (report::is_throttled(launch)) svg.rect({left, kBox.top - 8}, right - left, 6, "throttled");
}

}  // namespace

std::string timeline_chart(const schema::CaseResult& result, std::size_t most_points) {
  if (result.launches.empty()) return "";
  const std::size_t shown = std::min(result.launches.size(), kMostTimelines);
  const Scale scale = scale_of(result);
  Svg svg(kChartWidth, kBox.bottom + 34,
          "Step times in the order in which they were taken; the launches' figures are below");
  draw_y_axis(svg, kBox, ticks_of(scale, round_ticks(scale, 5), tick_time), "time per step");
  const double slot = (kBox.right - kBox.left) / static_cast<double>(shown);
  std::vector<Tick> names;
  for (std::size_t at = 0; at < shown; ++at) {
    const double left = kBox.left + slot * static_cast<double>(at) + kGap / 2;
    draw_launch(svg, scale, left, left + slot - kGap, result.launches[at], most_points);
    names.push_back({left + (slot - kGap) / 2, launch_name(result.launches[at])});
  }
  for (const Tick& name : spaced(names))
    svg.text({name.at, kBox.bottom + 14}, Anchor::middle, name.label, "");
  svg.text({(kBox.left + kBox.right) / 2, kBox.bottom + 28}, Anchor::middle,
           shown < result.launches.size()
               ? fmt::format("launch, the first {} of {}", shown, result.launches.size())
               : "launch",
           "axis");
  return svg.finished();
}

}  // namespace mpsbench::output
