// What there is to know of the LibTorch in use and of the OpenMP runtimes in this process.
#pragma once

#include "schema/host.hpp"

namespace mpsbench::device {

[[nodiscard]] schema::LibtorchInfo libtorch_info();

}  // namespace mpsbench::device
