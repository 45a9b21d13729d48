// Where the program's own files are: relative to the program, so that a tree works wherever it is moved.
#pragma once

#include <filesystem>
#include <string>

namespace mpsbench::base {

// The running program, links resolved.
[[nodiscard]] std::filesystem::path executable_path();
// "../share/mpsbench" beside the program's folder: models/ and configs/ live there.
[[nodiscard]] std::filesystem::path share_folder();
// The worker program: MPSBENCH_WORKER if set, else "mpsbench-worker" beside this program. Throws Error(usage)
// if absent.
[[nodiscard]] std::filesystem::path worker_program();
// The program of single operations, likewise: MPSBENCH_OPS, else "mpsbench-ops".
[[nodiscard]] std::filesystem::path ops_program();

}  // namespace mpsbench::base
