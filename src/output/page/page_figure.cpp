#include "output/page/page_figure.hpp"

#include <algorithm>
#include <cmath>

namespace mpsbench::output {

schema::Interval drawn_interval(const Figure& figure) {
  if (!figure.ci95) return {figure.value, figure.value};
  return {std::max(figure.ci95->low, figure.value / kMostSpread),
          std::min(figure.ci95->high, figure.value * kMostSpread)};
}

std::optional<Figure> rate_of(const schema::CaseResult& result) {
  const schema::RateMetric& rate = result.metrics.rows_per_second;
  if (!rate.value || !std::isfinite(*rate.value) || !(*rate.value > 0)) return std::nullopt;
  return Figure{*rate.value, rate.ci95};
}

}  // namespace mpsbench::output
