#include "stats/slope.hpp"

#include "stats/summary.hpp"

#include <vector>

namespace mpsbench::stats {

std::optional<double> median_slope(std::span<const double> x, std::span<const double> y) {
  std::vector<double> slopes;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = i + 1; j < x.size(); ++j) {
      if (x[j] != x[i]) slopes.push_back((y[j] - y[i]) / (x[j] - x[i]));
    }
  }
  return median(slopes);
}

}  // namespace mpsbench::stats
