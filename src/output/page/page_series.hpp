// What a series of points looks like everywhere on a page: it has a colour and, for readers who cannot
// distinguish colours, a marker shape.
#pragma once

#include "output/page/svg.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace mpsbench::output {

class SeriesNames {
 public:
  // Returns the number of NAME. If NAME is new, it gets a new number.
  std::size_t number(const std::string& name);
  [[nodiscard]] const std::string& name(std::size_t number) const { return names_[number]; }

 private:
  std::vector<std::string> names_;
};

// Returns the CSS class of the colour, "s0" to "s7", to combine with other classes.
[[nodiscard]] std::string series_class(std::size_t number);
// Returns the path data of the series' mark at PLACE.
[[nodiscard]] std::string mark_at(Point place, std::size_t number);
// Returns a "<ul>" of the series NUMBERS with their marks.
[[nodiscard]] std::string legend_of(const SeriesNames& names, const std::vector<std::size_t>& numbers);

}  // namespace mpsbench::output
