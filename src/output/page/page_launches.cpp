#include "base/units.hpp"
#include "output/page/page_view.hpp"
#include "output/text/columns.hpp"
#include "output/text/figures.hpp"
#include "report/metrics/flags.hpp"
#include "stats/summary.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

namespace mpsbench::output {
namespace {

using nlohmann::ordered_json;
using schema::Launch;

constexpr std::size_t kMostPoints = 200;    // of a launch
constexpr std::size_t kAllPoints = 30'000;  // of a page
constexpr std::size_t kLeastPoints = 16;
constexpr std::size_t kMostBins = 32;
constexpr std::size_t kManySamples = 50;  // from here on the slowest hundredth does not stretch a histogram

std::string time_or_none(const std::optional<double>& seconds) {
  return seconds ? base::format_duration(*seconds) : kNone;
}

std::string ended_by(const Launch& launch) {
  std::string end = launch.status == schema::Status::ok ? launch.stopped_by : to_string(launch.status);
  if (launch.disturbed) end += ", disturbed: " + to_string(*launch.disturbed);
  if (!launch.unmet.empty()) end += fmt::format(" (not reached: {})", fmt::join(launch.unmet, ", "));
  if (report::is_throttled(launch)) end += ", throttled";
  return end;
}

// Returns the values to draw, at equal distances, and how many there are in all.
ordered_json series_of(std::span<const double> values, std::size_t most) {
  ordered_json drawn = ordered_json::array();
  for (const std::size_t at : thinned(values, most)) drawn.push_back(shortened(values[at], 4));
  return {{"count", values.size()}, {"values", std::move(drawn)}};
}

ordered_json launch_json(const Launch& launch, std::size_t most_points) {
  const std::vector<double>& samples = launch.samples_seconds;
  // Unsigned, because the index in a stranger's file may be the largest integer.
  return {{"name", std::to_string(static_cast<std::uint64_t>(launch.index) + 1)},
          {"cells",
           {time_or_none(stats::median(samples)), time_or_none(stats::minimum(samples)),
            time_or_none(stats::maximum(samples)), fmt::format("{} × {}", samples.size(), launch.steps_per_sample),
            std::to_string(launch.warmup_samples_seconds.size()), time_or_none(launch.first_step_seconds),
            ended_by(launch)}},
          {"throttled", report::is_throttled(launch)},
          {"samples", series_of(samples, most_points)},
          {"warmup", series_of(launch.warmup_samples_seconds, std::max<std::size_t>(most_points / 8, 8))}};
}

// Returns the histograms of all launches over one range: {"low", "high", "counts": [[...], ...], "medians":
// [...]}.
ordered_json distribution_of(const std::vector<Launch>& launches, std::vector<double> Launch::* samples) {
  std::vector<std::vector<double>> sorted;
  std::size_t least = SIZE_MAX;
  std::optional<schema::Interval> range;
  for (const Launch& launch : launches) {
    std::vector<double>& one = sorted.emplace_back(launch.*samples);
    std::ranges::sort(one);
    if (one.empty()) continue;
    const double high = one.size() < kManySamples ? one.back() : stats::sorted_quantile(one, 0.99);
    range = range ? schema::Interval{std::min(range->low, one.front()), std::max(range->high, high)}
                  : schema::Interval{one.front(), high};
    least = std::min(least, one.size());
  }
  if (!range) return nullptr;
  const std::size_t bins = std::clamp<std::size_t>(least / 3, 8, kMostBins);
  const double width = (range->high - range->low) / static_cast<double>(bins);
  ordered_json counts = ordered_json::array();
  ordered_json medians = ordered_json::array();
  for (const std::vector<double>& one : sorted) {
    std::vector<std::size_t> count(bins, 0);
    for (const double sample : one) {
      const double bin = width > 0 ? (sample - range->low) / width : 0;
      ++count[bin < static_cast<double>(bins) ? static_cast<std::size_t>(bin) : bins - 1];
    }
    counts.push_back(count);
    medians.push_back(one.empty() ? ordered_json(nullptr) : shortened(stats::sorted_quantile(one, 0.5)));
  }
  return {{"low", shortened(range->low)},
          {"high", shortened(range->high)},
          {"counts", std::move(counts)},
          {"medians", std::move(medians)}};
}

std::string in_unit(double value, const std::string& unit) {
  if (unit == "B") return base::format_bytes(value);
  if (unit == "Hz") return base::format_significant(value / 1e9, 3) + " GHz";
  if (unit == "1" || unit == "s" || unit == "1/s") return text_in_unit(value, unit);
  return base::format_significant(value, 3) + (unit.empty() ? "" : " " + unit);
}

std::string reading(const schema::SensorRecord& record) {
  std::string text = in_unit(record.value, record.unit);
  if (!record.min || !record.max || *record.min == *record.max) return text;
  return text + " (" + in_unit(*record.min, record.unit) + " … " + in_unit(*record.max, record.unit) + ")";
}

// Returns [[name, reading of each launch], ...] without those that are the same 0 everywhere.
ordered_json sensors_of(const std::vector<Launch>& launches) {
  ordered_json rows = ordered_json::array();
  for (const schema::SensorQuantity& quantity : schema::sensor_quantities()) {
    ordered_json row = ordered_json::array({quantity.name});
    bool is_worth = false;
    for (const Launch& launch : launches) {
      const auto found = std::ranges::find(launch.sensors, quantity.name, &schema::SensorRecord::name);
      row.push_back(found == launch.sensors.end() ? kNone : reading(*found));
      is_worth = is_worth || (found != launch.sensors.end() && (found->value != 0 || found->max.value_or(0) != 0));
    }
    if (is_worth) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

ordered_json shortened(double value, int digits) {
  if (!std::isfinite(value)) return nullptr;
  return std::strtod(fmt::format("{:.{}g}", value, digits).c_str(), nullptr);
}

std::size_t points_a_launch(const std::vector<schema::Report>& reports) {
  std::size_t launches = 1;
  for (const schema::Report& report : reports) {
    for (const schema::CaseResult& result : report.cases) launches += result.launches.size();
  }
  return std::clamp(kAllPoints / launches, kLeastPoints, kMostPoints);
}

std::vector<std::size_t> thinned(std::span<const double> values, std::size_t most) {
  std::vector<std::size_t> places;
  if (values.size() <= most) {
    for (std::size_t at = 0; at < values.size(); ++at) places.push_back(at);
    return places;
  }
  const std::size_t stretches = std::max<std::size_t>(most / 2, 1);
  for (std::size_t number = 0; number < stretches; ++number) {
    const auto begin = static_cast<std::ptrdiff_t>(number * values.size() / stretches);
    const auto end = static_cast<std::ptrdiff_t>((number + 1) * values.size() / stretches);
    const auto [least, greatest] = std::minmax_element(values.begin() + begin, values.begin() + end);
    const auto low = static_cast<std::size_t>(least - values.begin());
    const auto high = static_cast<std::size_t>(greatest - values.begin());
    places.push_back(std::min(low, high));
    if (low != high) places.push_back(std::max(low, high));
  }
  return places;
}

ordered_json launches_view(const schema::CaseResult& result, std::size_t most_points) {
  ordered_json launches = ordered_json::array();
  for (const Launch& launch : result.launches) launches.push_back(launch_json(launch, most_points));
  return {{"launches", std::move(launches)},
          {"distribution", distribution_of(result.launches, &Launch::samples_seconds)},
          {"latency", distribution_of(result.launches, &Launch::latency_samples_seconds)},
          {"sensors", sensors_of(result.launches)}};
}

}  // namespace mpsbench::output
