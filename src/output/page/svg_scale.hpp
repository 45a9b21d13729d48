// Maps quantities to places in a drawing.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace mpsbench::output {

// Maps LOW to FROM and HIGH to TO. A logarithmic scale needs LOW > 0.
struct Scale {
  double low = 0;
  double high = 1;
  double from = 0;
  double to = 1;
  bool logarithmic = false;
};

// Values outside the scale are put on its edge, because strangers' reports may contain any number.
[[nodiscard]] double place(const Scale& scale, double value);

// Returns a scale from LOW to HIGH. It is never empty, and its ends are limited to values that can be drawn.
[[nodiscard]] Scale linear_scale(double low, double high, double from, double to);
[[nodiscard]] Scale log_scale(double low, double high, double from, double to);

// Returns about MOST round numbers inside the scale.
[[nodiscard]] std::vector<double> round_ticks(const Scale& scale, std::size_t most);

// Returns SECONDS with a unit and only as many digits as needed: "20 ms".
[[nodiscard]] std::string tick_time(double seconds);
// Returns VALUE with a prefix for its power of ten: "50 G", "1 T", "0.5".
[[nodiscard]] std::string tick_count(double value);

}  // namespace mpsbench::output
