#include "output/page/page_roofline.hpp"

#include "output/page/page_series.hpp"
#include "output/page/page_table.hpp"
#include "output/page/svg_axes.hpp"
#include "output/page/svg_labels.hpp"
#include "output/text/quoting.hpp"
#include "report/metrics/ceilings.hpp"
#include "report/metrics/least_traffic.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace mpsbench::output {
namespace {

// A case under its ceiling.
struct Spot {
  std::size_t number = 0;  // the case's number in its report
  double intensity = 0;    // FLOP per byte, at most
  double flops_per_second = 0;
  double roof = 0;  // FLOP/s, at this intensity and precision
};

double roof_at(const schema::Ceiling& ceiling, double peak, double intensity) {
  return ceiling.bytes_per_second ? std::min(peak, *ceiling.bytes_per_second * intensity) : peak;
}

// Returns nullopt if the case does not belong to this ceiling or lacks a value.
std::optional<Spot> spot_of(const schema::Report& report, std::size_t number,
                            const schema::Ceiling& ceiling) {
  const schema::CaseResult& result = report.cases[number];
  const auto peak = report::flops_ceiling({ceiling}, result.spec);
  const auto& rate = result.metrics.flops_per_second;
  const auto& flops = result.metrics.flops_per_step;
  if (!peak || !(*peak > 0) || !rate || !(*rate > 0) || !flops || *flops <= 0) return std::nullopt;
  const auto bytes = report::least_step_bytes(report.run, result);
  if (!bytes) return std::nullopt;
  const double intensity = static_cast<double>(*flops) / *bytes;
  const double roof = roof_at(ceiling, *peak, intensity);
  return roof > 0 ? std::optional(Spot{number, intensity, *rate, roof}) : std::nullopt;
}

std::vector<Spot> spots_of(const schema::Report& report, const schema::Ceiling& ceiling) {
  std::vector<Spot> spots;
  for (std::size_t number = 0; number < report.cases.size(); ++number) {
    if (const auto spot = spot_of(report, number, ceiling)) spots.push_back(*spot);
  }
  return spots;
}

// Returns the ceiling's FLOP/s for each precision that the cases have.
std::map<std::string, double> peaks_of(const schema::Report& report, const schema::Ceiling& ceiling,
                                       const std::vector<Spot>& spots) {
  std::map<std::string, double> peaks;
  for (const Spot& spot : spots) {
    const std::string precision = to_string(report.cases[spot.number].spec.precision);
    peaks[precision] = report::flops_ceiling({ceiling}, report.cases[spot.number].spec).value_or(0);
  }
  return peaks;
}

struct RooflineScales {
  Scale intensity;
  Scale rate;
};

RooflineScales scales_of(const schema::Ceiling& ceiling, const std::map<std::string, double>& peaks,
                         const std::vector<Spot>& spots, const Box& box) {
  double least = spots.front().intensity;
  double most = least;
  double low = spots.front().flops_per_second;
  double high = low;
  for (const Spot& spot : spots) {
    least = std::min(least, spot.intensity);
    most = std::max(most, spot.intensity);
    low = std::min(low, spot.flops_per_second);
    high = std::max(high, spot.flops_per_second);
  }
  for (const auto& [precision, peak] : peaks) {
    high = std::max(high, peak);
    if (!ceiling.bytes_per_second || !(*ceiling.bytes_per_second > 0)) continue;
    least = std::min(least, peak / *ceiling.bytes_per_second / 4);  // so that the chart shows the ridge
    most = std::max(most, peak / *ceiling.bytes_per_second * 4);
  }
  return {log_scale(least / 1.3, most * 1.5, box.left, box.right),
          log_scale(low / 1.5, high * 1.6, box.bottom, box.top)};
}

void draw_roofs(Svg& svg, const Box& box, const RooflineScales& scales, const schema::Ceiling& ceiling,
                const std::map<std::string, double>& peaks) {
  std::vector<double> heights;
  std::vector<std::string> words;
  for (const auto& [precision, peak] : peaks) {
    std::vector<Point> roof;
    constexpr int kSteps = 60;  // the roof bends between two of them
    const double span = std::log(scales.intensity.high / scales.intensity.low);
    for (int step = 0; step <= kSteps; ++step) {
      const double intensity = scales.intensity.low * std::exp(span * step / kSteps);
      const double rate = roof_at(ceiling, peak, intensity);
      if (rate < scales.rate.low) continue;
      roof.push_back({place(scales.intensity, intensity), place(scales.rate, rate)});
    }
    svg.path(polyline(roof), "roof");
    heights.push_back(place(scales.rate, peak) - 5);
    words.push_back(precision + " " + tick_count(peak) + "FLOP/s");
  }
  const auto places = label_places(heights, 13, box.top + 6, box.bottom);
  for (std::size_t at = 0; places && at < words.size(); ++at)
    svg.text({box.right - 2, (*places)[at]}, Anchor::end, words[at], "");
}

std::string figures_of(const PageReports& page, std::size_t at, const std::vector<Spot>& spots) {
  PageTable table{"Cases under the ceiling",
                  {"case", "FLOP/byte", "FLOP/s", "share of its roof"},
                  {false, true, true, true},
                  {}};
  for (const Spot& spot : spots)
    table.rows.push_back(
        {"<a href=\"#" + case_anchor(at, spot.number) + "\">" + breakable(page.ids[at][spot.number]) + "</a>",
         fmt::format("{:.3g}", spot.intensity), tick_count(spot.flops_per_second),
         fmt::format("{:.3g} %", 100 * spot.flops_per_second / spot.roof)});
  return "<details><summary>Figures</summary>" + html_of(table) + "</details>\n";
}

std::string chart_of(const PageReports& page, std::size_t at, const schema::Ceiling& ceiling) {
  const schema::Report& report = (*page.all)[at];
  const std::vector<Spot> spots = spots_of(report, ceiling);
  if (spots.empty()) return "";
  const std::map<std::string, double> peaks = peaks_of(report, ceiling, spots);
  constexpr double kHeight = 260;
  const Box box{52, 24, kChartWidth - 10, kHeight - 34};
  const RooflineScales scales = scales_of(ceiling, peaks, spots, box);
  const std::string title = (page.several() ? page.letters[at] + " " : "") + to_string(ceiling.device) +
                            (ceiling.threads ? ", threads: " + std::to_string(*ceiling.threads) : "");
  Svg svg(kChartWidth, kHeight, "Roofline of " + title + "; the figures are below");
  draw_y_axis(svg, box, ticks_of(scales.rate, round_ticks(scales.rate, 6), tick_count), "FLOP/s");
  draw_x_axis(svg, box, spaced(ticks_of(scales.intensity, round_ticks(scales.intensity, 7), tick_count)),
              "FLOP per byte, at most");
  draw_roofs(svg, box, scales, ceiling, peaks);
  SeriesNames names;
  std::vector<std::size_t> numbers;
  for (const Spot& spot : spots) {
    const schema::CaseSpec& spec = report.cases[spot.number].spec;
    const std::size_t series =
        names.number(spec.model + " " + to_string(spec.mode) + " " + to_string(spec.precision));
    if (series == numbers.size()) numbers.push_back(series);
    svg.open(page.ids[at][spot.number] +
             fmt::format(": {:.3g} % of its roof", 100 * spot.flops_per_second / spot.roof));
    svg.path(
        mark_at({place(scales.intensity, spot.intensity), place(scales.rate, spot.flops_per_second)}, series),
        "mark " + series_class(series));
    svg.close();
  }
  const std::string memory =
      ceiling.bytes_per_second ? ", memory " + tick_count(*ceiling.bytes_per_second) + "B/s" : "";
  return "<figure><figcaption>" + xml_text(title + memory) + "</figcaption>" + svg.finished() +
         legend_of(names, numbers) + figures_of(page, at, spots) + "</figure>\n";
}

}  // namespace

std::string roofline_section(const PageReports& page) {
  std::string charts;
  for (std::size_t at = 0; at < page.all->size(); ++at) {
    for (const schema::Ceiling& ceiling : (*page.all)[at].host.ceilings)
      charts += chart_of(page, at, ceiling);
  }
  if (charts.empty()) return "";
  return "<section id=\"roofline\"><h2>Roofline</h2>\n<p class=\"note\">The roofs are the fastest matrix "
         "product and the memory's rate, both measured by mpsbench ops. The horizontal axis shows the "
         "operations per byte if weights, inputs and kept activations went through the memory only once. "
         "This is counted, not measured; real steps move more.</p>\n<div class=\"charts\">\n" +
         charts + "</div></section>\n";
}

}  // namespace mpsbench::output
