// Finds the programs and files of this installation, relative to the program, so that it can be moved.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::base {

// The Python package that `pip install mpsbench` makes. It has the programs that need LibTorch, which is part
// of PyTorch: one folder of programs for each kind of build of PyTorch.
struct PythonPackage {
  std::filesystem::path folder;  // ".../site-packages/mpsbench"
  std::string torch_needed;      // the minor version of PyTorch that it was built for: "2.13"
  std::string version;           // of mpsbench: "0.1.0"
};

// The programs of a package that run with the PyTorch of its environment.
struct PackagePrograms {
  std::filesystem::path folder;  // ".../mpsbench/bin/cuda13"
  std::filesystem::path torch;   // the folder of PyTorch
  std::string torch_version;     // "2.13.0+cu130"
  std::string torch_build;       // "cuda13", or "cpu" for each build without CUDA
};

// Returns the package if pip installed PROGRAM: it is then in the same environment, if possible in this program's
// version. Returns nullopt if there is none.
[[nodiscard]] std::optional<PythonPackage> python_package(const std::filesystem::path& program);

// Finds the PyTorch that PACKAGE uses, beside it or where the environment's Python finds it. Throws
// Error(usage) if there is none, or if it is one that PACKAGE was not built for.
[[nodiscard]] PackagePrograms package_programs(const PythonPackage& package);

// Returns the environment variable ("NAME=VALUE") with which PROGRAMS find the libraries of a PyTorch that is
// not beside their package, because they look only there. Returns nothing if PyTorch is beside it.
[[nodiscard]] std::vector<std::string> library_variables(const PackagePrograms& programs);

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
