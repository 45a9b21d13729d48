#include "output/page/page_series.hpp"

#include "output/text/quoting.hpp"

#include <algorithm>

namespace mpsbench::output {
namespace {

constexpr std::size_t kColours = 8;

}  // namespace

std::size_t SeriesNames::number(const std::string& name) {
  const auto found = std::find(names_.begin(), names_.end(), name);
  const auto number = static_cast<std::size_t>(found - names_.begin());
  if (found == names_.end()) names_.push_back(name);
  return number;
}

std::string series_class(std::size_t number) {
  return "s" + std::to_string(number % kColours);
}

std::string mark_at(Point place, std::size_t number) {
  constexpr std::size_t kForms = 5;
  const double x = place.x;
  const double y = place.y;
  switch (number % kForms) {
    case 0:
      return "M" + coordinate(x - 3.5) + " " + coordinate(y) + "a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z";
    case 1:
      return polyline({{x - 3, y - 3}, {x + 3, y - 3}, {x + 3, y + 3}, {x - 3, y + 3}}) + "z";
    case 2:
      return polyline({{x, y - 4}, {x + 4, y + 3}, {x - 4, y + 3}}) + "z";
    case 3:
      return polyline({{x, y - 4.5}, {x + 4.5, y}, {x, y + 4.5}, {x - 4.5, y}}) + "z";
    default:
      return polyline({{x, y + 4}, {x + 4, y - 3}, {x - 4, y - 3}}) + "z";
  }
}

std::string legend_of(const SeriesNames& names, const std::vector<std::size_t>& numbers) {
  std::string text = "<ul class=\"legend\">";
  for (const std::size_t number : numbers)
    text += "<li><svg viewBox=\"0 0 12 12\" aria-hidden=\"true\"><path class=\"mark " + series_class(number) +
            "\" d=\"" + mark_at({6, 6}, number) + "\"/></svg>" + xml_text(names.name(number)) + "</li>";
  return text + "</ul>\n";
}

}  // namespace mpsbench::output
