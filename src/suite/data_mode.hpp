// --mode data: measures only the input pipeline of a data set. No network runs, so the options of networks
// and the axes of devices, precisions and engines have no effect.
#pragma once

#include "schema/case_spec.hpp"
#include "suite/settings.hpp"

namespace mpsbench::suite {

// Returns the SETTINGS that have an effect on a case of MODE.
[[nodiscard]] Settings heeded(const Settings& settings, schema::Mode mode);

// Throws Error(usage) if mode data is asked for without the files of a data set. Also throws if it is the
// only mode and the command line has an option that it ignores. In a suite, or in a matrix of several modes,
// such an option is for the other cases.
void check_data_mode(const Settings& settings);

}  // namespace mpsbench::suite
