// The Python package that `pip install mpsbench` makes. It has the programs that need LibTorch, which is part
// of PyTorch: one folder of programs for each kind of build of PyTorch.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::base {

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

// Returns the package if pip installed PROGRAM: it is then in the same environment. If several Pythons of the
// environment have it, returns that of this program's version, or else that of the newest Python. Returns
// nullopt if none has it.
[[nodiscard]] std::optional<PythonPackage> python_package(const std::filesystem::path& program);

// Finds the PyTorch that PACKAGE uses, beside it or where the environment's Python finds it. Throws
// Error(usage) if there is none, or if it is one that PACKAGE was not built for.
[[nodiscard]] PackagePrograms package_programs(const PythonPackage& package);

// Returns the environment variable ("NAME=VALUE") with which PROGRAMS find the libraries of a PyTorch that is
// not beside their package, because they look only there. Returns nothing if PyTorch is beside it.
[[nodiscard]] std::vector<std::string> library_variables(const PackagePrograms& programs);

}  // namespace mpsbench::base
