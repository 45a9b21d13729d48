// What `hyperfine --export-json` writes, for the programs that read it.
#pragma once

#include "schema/report.hpp"

#include <string>

namespace mpsbench::output {

// A command is a case and a run is a launch, whose time is its median step in seconds. The only parameter is
// the batch size. CPU time (user, system) is not measured: 0, since the format has no null there. Cases
// without figures are left out.
[[nodiscard]] std::string to_hyperfine(const schema::Report& report);

}  // namespace mpsbench::output
