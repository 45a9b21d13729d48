// Reads options from the keys of a suite.
#pragma once

#include "base/json_reader.hpp"
#include "suite/option.hpp"
#include "suite/settings.hpp"

#include <vector>

namespace mpsbench::suite {

// Reads those keys of a suite's object that are options of the ALLOWED groups. Throws Error(usage) with file
// and path.
[[nodiscard]] Settings read_settings(base::Reader& reader, const std::vector<OptionGroup>& allowed);

}  // namespace mpsbench::suite
