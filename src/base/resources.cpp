#include "base/resources.hpp"

#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/system_files.hpp"
#include "base/version.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <system_error>
#include <utility>

#ifdef __APPLE__
#include <mach-o/dyld.h>
#else
#include <sys/auxv.h>
#endif

namespace mpsbench::base {

namespace {

namespace fs = std::filesystem;

// Returns the text in quotes that NAME has in torch/version.py, which has lines such as
// "__version__ = '2.13.0+cu130'" and "cuda: Optional[str] = '13.0'". Returns an empty text if there is none.
std::string quoted_value(const std::string& text, const std::string& name) {
  const std::size_t at = text.find("\n" + name);
  if (at == std::string::npos) return "";
  const std::string line = text.substr(at + 1, text.find('\n', at + 1) - at - 1);
  const std::size_t first = line.find('\'');
  const std::size_t last = line.rfind('\'');
  return first < last ? line.substr(first + 1, last - first - 1) : "";
}

std::string shell_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// Asks the environment's Python where it would import torch from. Its answer covers what files beside the
// package do not show: packages of the system's Python, of the user, and of a .pth file. Does not import
// torch.
fs::path torch_of_python(const fs::path& package) {
  const fs::path lib = package.parent_path().parent_path();  // "lib/python3.12"
  const fs::path bin = lib.parent_path().parent_path() / "bin";
  const std::string command = "cd / && PATH=" + shell_quoted(bin.string()) + ":\"$PATH\" " +
                              shell_quoted(lib.filename().string()) +
                              " -c 'import importlib.util as u; spec = u.find_spec(\"torch\")\n"
                              "print(spec.origin if spec else \"\")' 2>/dev/null";
  // NOLINTNEXTLINE(bugprone-command-processor): each part is quoted for the shell
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> answer(::popen(command.c_str(), "r"), ::pclose);
  if (!answer) return {};
  std::array<char, 4096> line{};
  std::string last;  // because the environment's own start-up code may print, too
  while (std::fgets(line.data(), static_cast<int>(line.size()), answer.get()) != nullptr) last = line.data();
  return fs::path(last.substr(0, last.find('\n'))).parent_path();  // of torch/__init__.py
}

}  // namespace

std::optional<PythonPackage> python_package(const fs::path& program) {
  std::optional<PythonPackage> other;
  std::error_code error;
  for (const char* lib : {"lib", "lib64"}) {
    for (const auto& python : fs::directory_iterator(program.parent_path().parent_path() / lib, error)) {
      if (!python.path().filename().string().starts_with("python")) continue;
      for (const char* packages : {"site-packages", "dist-packages"}) {
        const fs::path folder = python.path() / packages / "mpsbench";
        PythonPackage found{folder, read_first_line(folder / "torch_version"), read_first_line(folder / "version")};
        if (found.torch_needed.empty()) continue;
        if (found.version == kVersion) return found;
        other = std::move(found);
      }
    }
  }
  return other;
}

PackagePrograms package_programs(const PythonPackage& package) {
  const fs::path beside = package.folder.parent_path() / "torch";
  std::error_code error;
  PackagePrograms found;
  found.torch = fs::exists(beside / "version.py", error) ? beside : torch_of_python(package.folder);
  const std::string& needed = package.torch_needed;
  const std::string cure = "; install it: pip install 'torch==" + needed + ".*'";
  const std::string text = found.torch.empty() ? "" : read_system_file(found.torch / "version.py");
  found.torch_version = quoted_value(text, "__version__");
  if (found.torch_version.empty())
    throw usage_error("this mpsbench needs PyTorch " + needed + ", which is not in the environment of " +
                      package.folder.string() + cure);
  if (!found.torch_version.starts_with(needed + "."))
    throw usage_error("this mpsbench was built for PyTorch " + needed + ", but " + found.torch.string() + " is " +
                      found.torch_version + cure + ", or install the mpsbench that was built for your version");
  const std::string cuda = quoted_value(text, "cuda");
  found.torch_build = cuda.empty() ? "cpu" : "cuda" + cuda.substr(0, cuda.find('.'));
  for (const std::string& build : {found.torch_build, std::string("cpu")}) {
    found.folder = package.folder / "bin" / build;
    if (fs::is_directory(found.folder, error)) return found;
  }
  throw usage_error("this mpsbench was built for another build of PyTorch than " + found.torch.string() +
                    ", which is " + found.torch_version +
                    "; install the build it was built for, or build mpsbench again: docs/python.md");
}

std::vector<std::string> library_variables(const PackagePrograms& programs) {
  const fs::path packages = programs.torch.parent_path();
  if (programs.folder.parent_path().parent_path().parent_path() == packages) return {};
#ifdef __APPLE__
  const char* variable = "DYLD_LIBRARY_PATH";
#else
  const char* variable = "LD_LIBRARY_PATH";
#endif
  std::string paths = (programs.torch / "lib").string();
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(packages / "nvidia", error))
    paths += ":" + (entry.path() / "lib").string();
  if (const char* old = std::getenv(variable); old != nullptr && *old != '\0') paths += std::string(":") + old;
  return {std::string(variable) + "=" + paths};
}

namespace {

// Where the error message says to install the programs that need LibTorch.
constexpr const char* kUsualEnvironment = ".venvs/mpsbench";

// Returns "" if VARIABLE is not set.
std::string value_of(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

// A program that needs LibTorch.
struct TorchProgram {
  const char* name;
  const char* what;      // what error messages call it
  const char* variable;  // the environment variable that can name another one
};

constexpr TorchProgram kWorker{"mpsbench-worker", "the worker program ", "MPSBENCH_WORKER"};
constexpr TorchProgram kOps{"mpsbench-ops", "the benchmark program of single operations ", "MPSBENCH_OPS"};

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
  if (fs::path chosen = value_of(program.variable); !chosen.empty()) {
    if (fs::is_regular_file(chosen, error)) return chosen;
    throw usage_error(program.what + chosen.string() + " is missing; set " + program.variable + " to its path");
  }
  return fs::is_regular_file(beside(program), error) ? std::optional(beside(program)) : std::nullopt;
}

// A report names only this program's version, and the package's worker measures.
void require_own_version(const PythonPackage& package) {
  if (package.version == kVersion) return;
  const std::string theirs = package.version.empty() ? "of an older version" : package.version;
  throw usage_error(std::string("this is mpsbench ") + kVersion + ", but its worker in " + package.folder.string() +
                    " is " + theirs + "; install the same version there: pip install mpsbench==" + kVersion);
}

fs::path path_of(const TorchProgram& program) {
  require_openmp_starts();
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
  for (const fs::path& environment :
       {executable_path().parent_path().parent_path(), fs::path(value_of("VIRTUAL_ENV")),
        fs::path(value_of("CONDA_PREFIX")), fs::path(value_of("HOME")) / kUsualEnvironment}) {
    auto package = environment.is_absolute() ? python_package(environment / "bin" / "mpsbench") : std::nullopt;
    if (package) return package;
  }
  return std::nullopt;
}

std::optional<PythonPackage> worker_package() {
  return outside_packages(kWorker) ? std::nullopt : installed_package();
}

const PackagePrograms& programs_of(const PythonPackage& package) {
  auto known = known_programs().find(package.folder);
  if (known == known_programs().end())
    known = known_programs().emplace(package.folder, package_programs(package)).first;
  return known->second;
}

fs::path worker_program() {
  return path_of(kWorker);
}

fs::path ops_program() {
  return path_of(kOps);
}

std::vector<std::string> variables_for(const fs::path& program) {
  for (const auto& [unused, programs] : known_programs()) {
    if (programs.folder == program.parent_path()) return library_variables(programs);
  }
  return {};
}

}  // namespace mpsbench::base
