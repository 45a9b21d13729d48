// Finds the program's own files. They are found relative to the program, so that the installation can be
// moved.
#pragma once

#include "base/python_package.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::base {

// Returns the path of the running program, with symbolic links resolved.
[[nodiscard]] std::filesystem::path executable_path();
// Returns "../share/mpsbench" relative to the program's folder. It contains models/ and configs/.
[[nodiscard]] std::filesystem::path share_folder();
// Returns the Python package of the first environment that has it: this program's environment, an active one
// (VIRTUAL_ENV, CONDA_PREFIX), ~/.venvs/mpsbench. If it cannot be used, no other one is taken, because the
// user would not know which one measures. Returns nullopt if there is none.
[[nodiscard]] std::optional<PythonPackage> installed_package();
// Returns the package in which worker_program() looks. Returns nullopt if the worker is elsewhere: then
// MPSBENCH_WORKER names it, or it is in this program's folder. Throws as worker_program() does.
[[nodiscard]] std::optional<PythonPackage> worker_package();
// Returns the programs of PACKAGE. Finds them only once, because that may start a Python. Throws as
// package_programs() does.
[[nodiscard]] const PackagePrograms& programs_of(const PythonPackage& package);
// Returns the worker program: MPSBENCH_WORKER if set, otherwise "mpsbench-worker" in this program's folder or
// in the installed package. Throws Error(usage) if it does not exist, or if the package has another version
// than this program or does not fit the PyTorch of its environment.
[[nodiscard]] std::filesystem::path worker_program();
// Returns the benchmark program of single operations: MPSBENCH_OPS if set, otherwise "mpsbench-ops", found
// and refused in the same way.
[[nodiscard]] std::filesystem::path ops_program();
// Returns the environment variables ("NAME=VALUE") that PROGRAM needs, if one of the above returned it.
[[nodiscard]] std::vector<std::string> variables_for(const std::filesystem::path& program);

}  // namespace mpsbench::base
