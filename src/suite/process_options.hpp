// The options that say in which processes and on which processors the work runs.
#pragma once

#include "suite/option.hpp"

#include <vector>

namespace mpsbench::suite {

[[nodiscard]] std::vector<Option> process_options();

}  // namespace mpsbench::suite
