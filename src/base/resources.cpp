#include "base/resources.hpp"

#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/version.hpp"

#include <cstdlib>
#include <map>
#include <system_error>
#include <vector>

#ifdef __APPLE__
#include <mach-o/dyld.h>

#include <array>
#else
#include <sys/auxv.h>
#endif

namespace mpsbench::base {
namespace {

namespace fs = std::filesystem;

// Where the error message says to install the programs that need LibTorch.
constexpr const char* kUsualEnvironment = ".venvs/mpsbench";

// Returns the Python environments that may have the programs that need LibTorch: that of this program, the
// active ones, and the one that the error message names.
std::vector<fs::path> environments() {
  std::vector<fs::path> found{executable_path().parent_path().parent_path()};
  const auto add = [&](const char* variable, const char* below) {
    if (const char* folder = std::getenv(variable); folder != nullptr && *folder != '\0')
      found.push_back(fs::path(folder) / below);
  };
  add("VIRTUAL_ENV", "");
  add("CONDA_PREFIX", "");
  add("HOME", kUsualEnvironment);
  return found;
}

// A program that needs LibTorch.
struct TorchProgram {
  const char* name;
  std::string what;      // what error messages call it
  std::string variable;  // the environment variable that can name another one
};

const TorchProgram& worker() {
  static const TorchProgram kWorker{"mpsbench-worker", "the worker program ", "MPSBENCH_WORKER"};
  return kWorker;
}

const TorchProgram& ops() {
  static const TorchProgram kOps{"mpsbench-ops", "the benchmark program of single operations ", "MPSBENCH_OPS"};
  return kOps;
}

// The programs of the packages that were asked for, by the packages' folders.
std::map<fs::path, PackagePrograms>& known_programs() {
  static std::map<fs::path, PackagePrograms> all;
  return all;
}

fs::path beside(const TorchProgram& program) {
  return executable_path().parent_path() / program.name;
}

// Returns PROGRAM if it is not in a package.
std::optional<fs::path> outside_packages(const TorchProgram& program) {
  std::error_code error;
  if (const char* chosen = std::getenv(program.variable.c_str()); chosen != nullptr && *chosen != '\0') {
    if (fs::is_regular_file(chosen, error)) return chosen;
    throw usage_error(program.what + chosen + " is missing; set " + program.variable + " to its path");
  }
  if (fs::is_regular_file(beside(program), error)) return beside(program);
  return std::nullopt;
}

// A report names only this program's version, and the package's worker measures.
void require_own_version(const PythonPackage& package) {
  if (package.version == kVersion) return;
  const std::string theirs = package.version.empty() ? "of an older version" : package.version;
  throw usage_error(std::string("this is mpsbench ") + kVersion + ", but its worker in " + package.folder.string() +
                    " is " + theirs + "; install the same version there: pip install mpsbench==" + kVersion);
}

fs::path path_of(const TorchProgram& program) {
  if (const auto path = outside_packages(program)) return *path;
  if (const auto package = installed_package()) {
    require_own_version(*package);
    return programs_of(*package).folder / program.name;
  }
  const std::string usual = std::string("~/") + kUsualEnvironment;
  throw usage_error(program.what + beside(program).string() + " is missing; install it: python3 -m venv " + usual +
                    " && " + usual + "/bin/pip install mpsbench==" + kVersion + "; or build it with LibTorch, or set " +
                    program.variable + " to its path");
}

}  // namespace

std::filesystem::path executable_path() {
#ifdef __APPLE__
  std::array<char, 4096> path{};
  auto size = static_cast<std::uint32_t>(path.size());
  if (_NSGetExecutablePath(path.data(), &size) != 0) throw Error(ErrorKind::internal, "the program's path is too long");
  return std::filesystem::canonical(path.data());
#else
  std::error_code error;
  fs::path path = fs::read_symlink("/proc/self/exe", error);
  if (!error) return path;
  // /proc is not mounted.
  return fs::canonical(reinterpret_cast<const char*>(::getauxval(AT_EXECFN)));  // NOLINT(performance-no-int-to-ptr)
#endif
}

std::filesystem::path share_folder() {
  return executable_path().parent_path().parent_path() / "share" / "mpsbench";
}

std::optional<PythonPackage> installed_package() {
  for (const fs::path& environment : environments()) {
    if (auto package = python_package(environment / "bin" / "mpsbench")) return package;
  }
  return std::nullopt;
}

std::optional<PythonPackage> worker_package() {
  return outside_packages(worker()) ? std::nullopt : installed_package();
}

const PackagePrograms& programs_of(const PythonPackage& package) {
  auto known = known_programs().find(package.folder);
  if (known == known_programs().end())
    known = known_programs().emplace(package.folder, package_programs(package)).first;
  return known->second;
}

std::filesystem::path worker_program() {
  require_openmp_starts();
  return path_of(worker());
}

std::filesystem::path ops_program() {
  require_openmp_starts();
  return path_of(ops());
}

std::vector<std::string> variables_for(const fs::path& program) {
  for (const auto& [unused, programs] : known_programs()) {
    if (programs.folder == program.parent_path()) return library_variables(programs);
  }
  return {};
}

}  // namespace mpsbench::base
