// The JSON of `hyperfine --export-json`, for programs that read it.
#pragma once

#include "schema/report.hpp"

#include <string>

namespace mpsbench::output {

// A command is a case. A run is a launch, and its time is its median step in seconds. The only parameter is
// the batch size. CPU time (user, system) is not measured and is 0, because the format allows no null. Leaves
// out cases without figures.
[[nodiscard]] std::string to_hyperfine(const schema::Report& report);

}  // namespace mpsbench::output
