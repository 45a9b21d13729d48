#include "device/libtorch_info.hpp"

#include "device/cuda_driver.hpp"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <dlfcn.h>
#include <torch/version.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <system_error>

#ifdef __APPLE__
#include <mach-o/dyld.h>
#else
#include <link.h>
#endif

namespace mpsbench::device {
namespace {

namespace fs = std::filesystem;

// The headers contain "2.13.0"; the package's own files also name the build: "2.13.0+cpu".
std::string library_version(const fs::path& folder) {
  const fs::path root = folder.parent_path();
  std::string line;
  if (std::ifstream file(root / "build-version"); std::getline(file, line)) return line;
  for (std::ifstream file(root / "version.py"); std::getline(file, line);) {
    const std::size_t first = line.find('\'');
    const std::size_t last = line.rfind('\'');
    if (line.starts_with("__version__") && first < last) return line.substr(first + 1, last - first - 1);
  }
  return TORCH_VERSION;
}

std::optional<std::int64_t> library_bytes(const fs::path& folder) {
  std::int64_t bytes = 0;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    const bool ours = name.starts_with("libtorch") || name.starts_with("libc10");
    std::error_code size_error;
    const std::uintmax_t size = ours && !entry.is_symlink() ? entry.file_size(size_error) : 0;
    if (!size_error) bytes += static_cast<std::int64_t>(size);
  }
  return bytes > 0 ? std::optional(bytes) : std::nullopt;
}

// Reads the name from "BLAS_INFO=mkl, ..." in LibTorch's description of its own build.
std::optional<std::string> blas_name() {
  constexpr std::string_view kKey = "BLAS_INFO=";
  const std::string config = at::show_config();
  const std::size_t at = config.find(kKey);
  if (at == std::string::npos) return std::nullopt;
  const std::size_t start = at + kKey.size();
  return config.substr(start, config.find_first_of(", \n", start) - start);
}

bool is_openmp_runtime(const std::string& name) {
  constexpr std::array<std::string_view, 3> kRuntimes{"libgomp", "libomp", "libiomp"};
  return std::ranges::any_of(kRuntimes, [&](std::string_view runtime) { return name.starts_with(runtime); });
}

#ifdef __APPLE__
std::vector<std::string> openmp_runtimes() {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < _dyld_image_count(); ++i) {
    const std::string name = fs::path(_dyld_get_image_name(i)).filename().string();
    if (is_openmp_runtime(name)) names.push_back(name);
  }
  return names;
}
#else
std::vector<std::string> openmp_runtimes() {
  std::vector<std::string> names;
  const auto collect = [](dl_phdr_info* info, std::size_t, void* list) {
    const std::string name = fs::path(info->dlpi_name).filename().string();
    if (is_openmp_runtime(name)) static_cast<std::vector<std::string>*>(list)->push_back(name);
    return 0;
  };
  dl_iterate_phdr(collect, &names);
  return names;
}
#endif

constexpr const char* kArchitecture =
#if defined(__x86_64__)
    "x86_64";
#elif defined(__aarch64__)
    "arm64";
#else
    "other";
#endif

}  // namespace

std::optional<std::string> built_cuda_version() {
  if (!at::Context::hasCUDART()) return std::nullopt;
  return cuda_version_text(at::Context::versionCUDART());
}

fs::path libtorch_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&at::show_config), &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code error;
  const fs::path path = fs::canonical(info.dli_fname, error);
  return error ? fs::path() : path.parent_path();
}

schema::LibtorchInfo libtorch_info() {
  const fs::path folder = libtorch_folder();
  schema::LibtorchInfo info;
  info.version = library_version(folder);
  info.cuda = built_cuda_version();
  if (info.cuda) {
    if (at::detail::getCUDAHooks().hasCuDNN()) {
      info.cudnn = std::to_string(at::detail::getCUDAHooks().versionCuDNN());
    }
  }
  info.blas = blas_name();
  info.architecture = kArchitecture;
  info.size_bytes = library_bytes(folder);
  info.intra_op_threads = at::get_num_threads();
  info.inter_op_threads = static_cast<std::int64_t>(at::get_num_interop_threads());  // size_t on macOS
  info.openmp_runtimes = openmp_runtimes();
  info.worker_build_type = MPSBENCH_BUILD_TYPE;
  return info;
}

}  // namespace mpsbench::device
