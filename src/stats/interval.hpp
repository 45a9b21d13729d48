// 95 % intervals of a median: for one launch from its samples in order, and for a case from the medians of
// its launches.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace mpsbench::stats {

// The factor F for which Student's t of FREEDOM (> 0) degrees lies within ±F with probability CONFIDENCE (between
// 0 and 1).
[[nodiscard]] double student_factor(double freedom, double confidence);

// The chance that it lies below -|T| or above |T|.
[[nodiscard]] double student_two_sided(double freedom, double t);

// How far apart two samples of a series must be to be independent. Only the side of the median on which each
// sample lies counts: this is what the interval of a median needs, unlike the samples' own correlation, and
// outliers have no influence.
struct Correlation {
  // How many successive samples carry as much information as one independent sample. It is at least 1.
  double time = 1;
  std::size_t lags = 0;  // up to which lag correlations were summed; 0 if neighbours are independent
};

// Uses Geyer's initial monotone sequence: the correlations of neighbouring lags are summed in pairs as long
// as the pairs are positive, and no pair counts for more than the one before it. SAMPLES must be in the order
// in which they were taken.
[[nodiscard]] Correlation median_correlation(std::span<const double> samples);

inline constexpr double kConfidence = 0.95;

struct MedianInterval {
  double median = 0;
  double low = 0;  // low <= median <= high
  double high = 0;

  [[nodiscard]] double half_width() const { return (high - low) / 2; }
  // Returns half the width relative to the median, or 0 if the interval has no width.
  [[nodiscard]] double relative_half_width() const;
};

// The interval makes no assumption about the distribution and allows for autocorrelation. SAMPLES must be in
// the order in which they were taken. Nullopt for fewer than kSamplesForInterval samples or if one is not
// finite.
inline constexpr std::size_t kSamplesForInterval = 5;
[[nodiscard]] std::optional<MedianInterval> median_interval(std::span<const double> samples);

// Half the width of the mean's 95 % interval, by Student's t from the standard deviation. The rest is as for
// median_interval.
[[nodiscard]] std::optional<double> mean_half_width(std::span<const double> samples);

// The interval of a case, by Student's t on the logs of its launches' medians (all > 0). It is never narrower than
// the mean of WITHIN_HALF_WIDTHS, those of the launches that have an interval, over the square root of the number
// of launches. A single launch has its within-launch interval. Nullopt for no launch, or for a single one without
// an interval.
[[nodiscard]] std::optional<MedianInterval> launches_interval(std::span<const double> medians,
                                                              std::span<const double> within_half_widths);

// The interval in which the mean of one further launch lies with at least 95 % probability, computed
// like launches_interval. It holds even if the machine's speed wanders from launch to launch: in a random
// walk the next value differs from the mean of n values by (2 + 1/n) times their variance, with independent
// values by (1 + 1/n) times.
[[nodiscard]] std::optional<MedianInterval> next_launch_interval(std::span<const double> means,
                                                                 std::span<const double> within_half_widths);

}  // namespace mpsbench::stats
