#include "device/cuda_driver.hpp"
#include "device/kinds.hpp"
#include "device/libtorch_info.hpp"

#include <ATen/Context.h>
#include <torch/cuda.h>

#ifdef __APPLE__
#include <sys/sysctl.h>
#include <torch/mps.h>

#include <array>
#endif

namespace mpsbench::device {
namespace {

#ifdef __APPLE__
void add_macos(PlatformFacts& facts) {
  facts.macos = true;
  facts.least_macos = MPSBENCH_MPS_LEAST_MACOS;
  std::array<char, 64> version{};
  std::size_t size = version.size() - 1;
  if (::sysctlbyname("kern.osproductversion", version.data(), &size, nullptr, 0) == 0)
    facts.system_version = version.data();
  int translated = 0;
  size = sizeof(translated);
  facts.translated = ::sysctlbyname("sysctl.proc_translated", &translated, &size, nullptr, 0) == 0 && translated == 1;
  facts.mps_available = torch::mps::is_available();
}
#else
void add_macos(PlatformFacts& /*facts*/) {}
#endif

}  // namespace

PlatformFacts platform_facts() {
  PlatformFacts facts;
#if defined(__aarch64__)
  facts.arm64_process = true;
#endif
  facts.cuda_needed = built_cuda_version();
  facts.cuda_built = facts.cuda_needed.has_value();
  facts.mps_built = at::hasMPS();
  facts.cuda_devices = std::int64_t{0} + torch::cuda::device_count();
  if (const auto driver = read_cuda_driver()) facts.cuda_of_driver = driver->cuda_version;
  add_macos(facts);
  return facts;
}

}  // namespace mpsbench::device
