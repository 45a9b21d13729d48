#include "base/resources.hpp"

#include "base/error.hpp"

#include <cstdlib>
#include <system_error>

#ifdef __APPLE__
#include <mach-o/dyld.h>

#include <array>
#endif

namespace mpsbench::base {

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
  const char* chosen = std::getenv("MPSBENCH_WORKER");
  const bool given = chosen != nullptr && *chosen != '\0';
  const std::filesystem::path path =
      given ? std::filesystem::path(chosen) : executable_path().parent_path() / "mpsbench-worker";
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    throw usage_error(
        "the worker program " + path.string() + " is missing; " +
        (given ? "MPSBENCH_WORKER must name it" : "build it with LibTorch, or name one in MPSBENCH_WORKER"));
  }
  return path;
}

}  // namespace mpsbench::base
