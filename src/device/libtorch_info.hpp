// Describes the LibTorch in use and the OpenMP runtimes in this process.
#pragma once

#include "schema/host.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace mpsbench::device {

[[nodiscard]] schema::LibtorchInfo libtorch_info();

// Returns the folder of LibTorch's libraries. Empty if the system does not tell it.
[[nodiscard]] std::filesystem::path libtorch_folder();

// Returns the version of CUDA that LibTorch was built with ("13.0"), or nullopt if it was built without CUDA.
[[nodiscard]] std::optional<std::string> built_cuda_version();

}  // namespace mpsbench::device
