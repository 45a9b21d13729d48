// The version of this build.
#pragma once

namespace mpsbench::base {

extern const char* const kVersion;  // "0.1.0"

}  // namespace mpsbench::base
