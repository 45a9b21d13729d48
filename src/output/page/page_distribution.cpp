#include "output/page/page_distribution.hpp"

#include "base/units.hpp"
#include "output/page/svg_axes.hpp"
#include "stats/summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace mpsbench::output {
namespace {

constexpr double kLeft = 24;
constexpr double kRight = kChartWidth - 62;  // the medians are to the right of it
constexpr std::size_t kMostBins = 32;
constexpr std::size_t kMostDistributions = 12;
constexpr double kRowHeight = 36;

using Sorted = std::vector<double>;

// Returns a scale for all samples except the slowest few of each launch, which would squeeze the rest
// together.
Scale scale_of(const std::vector<Sorted>& launches) {
  double low = launches.front().front();
  double high = low;
  for (const Sorted& samples : launches) {
    low = std::min(low, samples.front());
    high = std::max(high, samples.size() < 50 ? samples.back() : stats::sorted_quantile(samples, 0.99));
  }
  const double room = 0.03 * (high - low);
  return linear_scale(low - room, high + room, kLeft, kRight);
}

// Returns the outline of the histogram, from the base line and back to it.
std::string histogram(const Sorted& samples, const Scale& scale, double base, double height) {
  const std::size_t bins = std::clamp<std::size_t>(samples.size() / 3, 8, kMostBins);
  std::vector<double> counts(bins, 0);
  const double width = (kRight - kLeft) / static_cast<double>(bins);
  for (const double sample : samples) {
    const auto bin = static_cast<std::size_t>((place(scale, sample) - kLeft) / width);
    counts[std::min(bin, bins - 1)] += 1;
  }
  const double most = *std::max_element(counts.begin(), counts.end());
  std::vector<Point> outline{{kLeft, base}};
  for (std::size_t bin = 0; bin < bins; ++bin) {
    // Whole units keep the page short.
    const double top = std::round(base - height * counts[bin] / most);
    const double left = std::round(kLeft + width * static_cast<double>(bin));
    outline.push_back({left, top});
    outline.push_back({std::round(kLeft + width * static_cast<double>(bin + 1)), top});
  }
  outline.push_back({kRight, base});
  return polyline(outline) + "z";
}

}  // namespace

std::string distribution_chart(const std::vector<NumberedSamples>& launches, const std::string& what) {
  std::vector<NumberedSamples> shown;
  std::vector<Sorted> sorted;
  for (const NumberedSamples& launch : launches) {
    if (launch.seconds.empty() || shown.size() == kMostDistributions) continue;
    shown.push_back(launch);
    Sorted& samples = sorted.emplace_back(launch.seconds.begin(), launch.seconds.end());
    std::sort(samples.begin(), samples.end());
  }
  if (shown.empty()) return "";
  const Scale scale = scale_of(sorted);
  const Box box{kLeft, 16, kRight, 16 + kRowHeight * static_cast<double>(shown.size())};
  Svg svg(kChartWidth, box.bottom + 34, "Distribution of the " + what + "; the launches' figures are below");
  draw_x_axis(svg, box, spaced(ticks_of(scale, round_ticks(scale, 5), tick_time)), what);
  svg.text({kRight + 6, 10}, Anchor::start, "median", "axis");
  for (std::size_t at = 0; at < shown.size(); ++at) {
    const double base = box.top + kRowHeight * static_cast<double>(at + 1);
    const double median = stats::sorted_quantile(sorted[at], 0.5);
    svg.path(histogram(sorted[at], scale, base, kRowHeight - 8), "fill");
    svg.path(segment({place(scale, median), base - kRowHeight + 4}, {place(scale, median), base}), "median");
    svg.text({kLeft - 6, base - 8}, Anchor::end, shown[at].name, "");
    svg.text({kRight + 6, base - 8}, Anchor::start, base::format_duration(median), "");
  }
  return svg.finished();
}

}  // namespace mpsbench::output
