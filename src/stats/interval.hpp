// 95 % intervals of a median: of one launch from its ordered samples, and of a case from its launches'
// medians.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace mpsbench::stats {

inline constexpr double kConfidence = 0.95;

struct MedianInterval {
  double median = 0;
  double low = 0;  // low <= median <= high
  double high = 0;

  [[nodiscard]] double half_width() const { return (high - low) / 2; }
  // Half the width as a share of the median; 0 for an interval of no width.
  [[nodiscard]] double relative_half_width() const;
};

// Distribution-free and allowing for autocorrelation: SAMPLES in the order they were taken. Nullopt for fewer
// than kSamplesForInterval or samples that are not finite.
inline constexpr std::size_t kSamplesForInterval = 5;
[[nodiscard]] std::optional<MedianInterval> median_interval(std::span<const double> samples);

// Half the width of the mean's 95 % interval: Student's t over the spread, allowing for autocorrelation.
// SAMPLES in the order they were taken; nullopt as above.
[[nodiscard]] std::optional<double> mean_half_width(std::span<const double> samples);

// Of a case: Student's t over the logs of its launches' medians (all > 0), never narrower than the launches'
// own mean half-width (WITHIN_HALF_WIDTHS, same unit as the medians, one a launch that has an interval) over
// the root of their number. One launch: its within-launch interval. Nullopt for no launch, or one without an
// interval.
[[nodiscard]] std::optional<MedianInterval> launches_interval(std::span<const double> medians,
                                                              std::span<const double> within_half_widths);

// Where one further launch's mean lies, by at least 95 %: as above, for a machine whose speed wanders from
// launch to launch. Of a random walk the next value is (2 + 1/n) of n values' variance off their mean, of
// independent ones (1 + 1/n).
[[nodiscard]] std::optional<MedianInterval> next_launch_interval(std::span<const double> means,
                                                                 std::span<const double> within_half_widths);

}  // namespace mpsbench::stats
