#include "output/page/svg_labels.hpp"

#include "output/text/text.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace mpsbench::output {

std::optional<std::vector<double>> label_places(const std::vector<double>& wanted, double gap, double low,
                                                double high) {
  const std::size_t count = wanted.size();
  if (count == 0) return wanted;
  if (static_cast<double>(count - 1) * gap > high - low) return std::nullopt;
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t one, std::size_t other) { return wanted[one] < wanted[other]; });
  std::vector<double> places = wanted;
  double least = low;
  for (const std::size_t at : order) {
    places[at] = std::max(places[at], least);
    least = places[at] + gap;
  }
  double most = high;
  for (auto at = order.rbegin(); at != order.rend(); ++at) {
    places[*at] = std::min(places[*at], most);
    most = places[*at] - gap;
  }
  return places;
}

double text_width(const std::string& words) {
  constexpr double kCharacter = 6.3;
  return kCharacter * static_cast<double>(display_width(printable(words)));
}

}  // namespace mpsbench::output
