// From quantities to places in a drawing.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace mpsbench::output {

// LOW lies at FROM and HIGH at TO. A logarithmic one needs LOW > 0.
struct Scale {
  double low = 0;
  double high = 1;
  double from = 0;
  double to = 1;
  bool logarithmic = false;
};

// What lies outside is put on the edge: reports of strangers hold any number.
[[nodiscard]] double place(const Scale& scale, double value);

// A scale from LOW to HIGH that is never empty, cut to what can be drawn.
[[nodiscard]] Scale linear_scale(double low, double high, double from, double to);
[[nodiscard]] Scale log_scale(double low, double high, double from, double to);

// Round numbers inside the scale, about MOST.
[[nodiscard]] std::vector<double> round_ticks(const Scale& scale, std::size_t most);

// "20 ms": as short as the number is round.
[[nodiscard]] std::string tick_time(double seconds);
// "50 G", "1 T", "0.5".
[[nodiscard]] std::string tick_count(double value);

}  // namespace mpsbench::output
