// What there is to know of the LibTorch in use and of the OpenMP runtimes in this process.
#pragma once

#include "schema/host.hpp"

#include <optional>
#include <string>

namespace mpsbench::device {

[[nodiscard]] schema::LibtorchInfo libtorch_info();

// The CUDA that LibTorch was built with: "13.0"; nullopt for a build without.
[[nodiscard]] std::optional<std::string> built_cuda_version();

}  // namespace mpsbench::device
