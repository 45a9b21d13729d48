// The command that measures a case.
#pragma once

#include <string>

namespace mpsbench::output {

// Returns the command that measures the work of the case ID on any machine: "mpsbench run -m mlp --mode train
// -b 64 --epochs 1". Leaves out the device and what is a machine's own business, such as threads.
[[nodiscard]] std::string run_command(const std::string& id);

}  // namespace mpsbench::output
