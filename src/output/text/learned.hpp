// The accuracy after the measured epochs, and the times that the articles' scripts print.
#pragma once

#include "schema/report.hpp"

#include <string>
#include <vector>

namespace mpsbench::output {

// Returns a line for each case that evaluated what its epochs had taught: "mlp-mnist/train/cpu/b64: accuracy
// after 2 epochs: train 99.00 %, ...". The figures are medians over launches. The lines may contain any
// text.
[[nodiscard]] std::vector<std::string> learned(const schema::Report& report);

}  // namespace mpsbench::output
