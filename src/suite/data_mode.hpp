// --mode data: the input pipeline of a data set alone. No network runs in it, so the options of one, and the
// axes of devices, precisions and engines, mean nothing there.
#pragma once

#include "schema/case_spec.hpp"
#include "suite/settings.hpp"

namespace mpsbench::suite {

// What a case of MODE heeds of SETTINGS.
[[nodiscard]] Settings heeded(const Settings& settings, schema::Mode mode);

// Throws Error(usage) where data is asked for without the files of a data set, or alone beside an option of
// the command line that it does not heed. In a matrix of several modes, or a suite, that is for others.
void check_data_mode(const Settings& settings);

}  // namespace mpsbench::suite
