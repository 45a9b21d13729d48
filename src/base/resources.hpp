// Finds the program's own files. They are found relative to the program, so that the installation can be
// moved.
#pragma once

#include <filesystem>
#include <string>

namespace mpsbench::base {

// Returns the path of the running program, with symbolic links resolved.
[[nodiscard]] std::filesystem::path executable_path();
// Returns "../share/mpsbench" relative to the program's folder. It contains models/ and configs/.
[[nodiscard]] std::filesystem::path share_folder();
// Returns the worker program: MPSBENCH_WORKER if set, otherwise "mpsbench-worker" in this program's folder.
// Throws Error(usage) if it does not exist.
[[nodiscard]] std::filesystem::path worker_program();
// Returns the benchmark program of single operations: MPSBENCH_OPS if set, otherwise "mpsbench-ops" in this
// program's folder. Throws in the same way.
[[nodiscard]] std::filesystem::path ops_program();

}  // namespace mpsbench::base
