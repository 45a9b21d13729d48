#include "output/page/thinning.hpp"

#include <algorithm>

namespace mpsbench::output {

std::vector<Point> thinned(std::span<const double> values, std::size_t most) {
  std::vector<Point> points;
  const auto add = [&](std::size_t at) { points.push_back({static_cast<double>(at), values[at]}); };
  if (values.size() <= most) {
    for (std::size_t at = 0; at < values.size(); ++at) add(at);
    return points;
  }
  const std::size_t stretches = std::max<std::size_t>(most / 2, 1);
  for (std::size_t number = 0; number < stretches; ++number) {
    const auto begin = static_cast<std::ptrdiff_t>(number * values.size() / stretches);
    const auto end = static_cast<std::ptrdiff_t>((number + 1) * values.size() / stretches);
    const auto [least, greatest] = std::minmax_element(values.begin() + begin, values.begin() + end);
    const auto low = static_cast<std::size_t>(least - values.begin());
    const auto high = static_cast<std::size_t>(greatest - values.begin());
    add(std::min(low, high));
    if (low != high) add(std::max(low, high));
  }
  return points;
}

}  // namespace mpsbench::output
