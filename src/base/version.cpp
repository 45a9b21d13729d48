#include "base/version.hpp"

namespace mpsbench::base {

const char* const kVersion = MPSBENCH_VERSION;

}  // namespace mpsbench::base
