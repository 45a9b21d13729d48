// What a series of points looks like wherever it is drawn on a page: a colour and, for those who do not tell
// colours apart, the form of its marks.
#pragma once

#include "output/page/svg.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace mpsbench::output {

class SeriesNames {
 public:
  // The number of NAME, which is a new one where it was not heard of.
  std::size_t number(const std::string& name);
  [[nodiscard]] const std::string& name(std::size_t number) const { return names_[number]; }

 private:
  std::vector<std::string> names_;
};

// Class of the colour: "s0" ... "s7", to be put beside others.
[[nodiscard]] std::string series_class(std::size_t number);
// Path data of its mark at PLACE.
[[nodiscard]] std::string mark_at(Point place, std::size_t number);
// "<ul>" of NUMBERS with their marks.
[[nodiscard]] std::string legend_of(const SeriesNames& names, const std::vector<std::size_t>& numbers);

}  // namespace mpsbench::output
