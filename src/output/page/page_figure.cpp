#include "output/page/page_figure.hpp"

#include "output/text/columns.hpp"
#include "output/text/interval_text.hpp"

#include <algorithm>
#include <cmath>

namespace mpsbench::output {

schema::Interval drawn_interval(const Figure& figure) {
  if (!figure.ci95) return {figure.value, figure.value};
  return {std::max(figure.ci95->low, figure.value / kMostSpread),
          std::min(figure.ci95->high, figure.value * kMostSpread)};
}

std::string noise_text(const Figure& figure) {
  if (!figure.ci95) return "±?";
  return format_noise((figure.ci95->high - figure.ci95->low) / 2 / figure.value);
}

std::optional<Figure> rate_of(const schema::CaseResult& result) {
  const schema::TimeMetrics& step = result.metrics.step_seconds;
  const double seconds = middle_of(result, step).value_or(0);
  if (!(seconds > 0)) return std::nullopt;
  const auto rows = static_cast<double>(schema::rows_per_step(result.spec));
  Figure rate{rows / seconds, std::nullopt};
  if (!std::isfinite(rate.value) || !(rate.value > 0)) return std::nullopt;
  if (step.ci95 && step.ci95->low > 0) rate.ci95 = {rows / step.ci95->high, rows / step.ci95->low};
  return rate;
}

}  // namespace mpsbench::output
