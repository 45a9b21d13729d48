#include "base/resources.hpp"

#include "base/error.hpp"

#include <cstdlib>
#include <system_error>

#ifdef __APPLE__
#include <mach-o/dyld.h>

#include <array>
#endif

namespace mpsbench::base {
namespace {

// Returns the path in the environment variable VARIABLE if it is set, otherwise NAME in this program's
// folder. WHAT is what the error message calls the program.
std::filesystem::path program(const char* name, const std::string& what, const std::string& variable) {
  const char* chosen = std::getenv(variable.c_str());
  const bool given = chosen != nullptr && *chosen != '\0';
  const std::filesystem::path path =
      given ? std::filesystem::path(chosen) : executable_path().parent_path() / name;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    throw usage_error(what + path.string() + " is missing; " +
                      (given ? "set " + variable + " to its path"
                             : "build it with LibTorch, or set " + variable + " to its path"));
  }
  return path;
}

}  // namespace

std::filesystem::path executable_path() {
#ifdef __APPLE__
  std::array<char, 4096> path{};
  auto size = static_cast<std::uint32_t>(path.size());
  if (_NSGetExecutablePath(path.data(), &size) != 0)
    throw Error(ErrorKind::internal, "the program's path is too long");
  return std::filesystem::canonical(path.data());
#else
  return std::filesystem::read_symlink("/proc/self/exe");
#endif
}

std::filesystem::path share_folder() {
  return executable_path().parent_path().parent_path() / "share" / "mpsbench";
}

std::filesystem::path worker_program() {
  return program("mpsbench-worker", "the worker program ", "MPSBENCH_WORKER");
}

std::filesystem::path ops_program() {
  return program("mpsbench-ops", "the benchmark program of single operations ", "MPSBENCH_OPS");
}

}  // namespace mpsbench::base
