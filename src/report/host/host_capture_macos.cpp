#include "report/host/host_capture.hpp"

#include <CoreFoundation/CoreFoundation.h>
#include <IOKit/IOKitLib.h>
#include <sys/sysctl.h>
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

namespace mpsbench::report {
namespace {

std::string text_of(const char* name) {
  std::array<char, 256> text{};
  std::size_t size = text.size() - 1;
  return sysctlbyname(name, text.data(), &size, nullptr, 0) == 0 ? text.data() : "";
}

// The kernel returns a number of 4 or 8 bytes.
std::optional<std::int64_t> number_of(const char* name) {
  std::int64_t value = 0;
  std::size_t size = sizeof(value);
  if (sysctlbyname(name, &value, &size, nullptr, 0) != 0) return std::nullopt;
  return size == sizeof(std::int32_t) ? static_cast<std::int32_t>(value) : value;
}

std::vector<std::string> features() {
  constexpr std::pair<const char*, const char*> kNames[] = {
      {"hw.optional.avx2_0", "avx2"},        {"hw.optional.fma", "fma"},
      {"hw.optional.avx512f", "avx512f"},    {"hw.optional.neon", "neon"},
      {"hw.optional.arm.FEAT_FP16", "fp16"}, {"hw.optional.arm.FEAT_DotProd", "dotprod"},
      {"hw.optional.arm.FEAT_BF16", "bf16"}, {"hw.optional.arm.FEAT_I8MM", "i8mm"},
      {"hw.optional.arm.FEAT_SME", "sme"}};
  std::vector<std::string> present;
  for (const auto& [key, name] : kNames) {
    if (number_of(key).value_or(0) != 0) present.emplace_back(name);
  }
  return present;
}

// The number of the GPU's cores, which only its driver's entry in IOKit's registry has.
std::optional<std::int64_t> gpu_cores() {
  const io_service_t gpu = IOServiceGetMatchingService(MACH_PORT_NULL, IOServiceMatching("AGXAccelerator"));
  if (gpu == IO_OBJECT_NULL) return std::nullopt;
  const CFTypeRef property = IORegistryEntryCreateCFProperty(gpu, CFSTR("gpu-core-count"), nullptr, 0);
  IOObjectRelease(gpu);
  if (property == nullptr) return std::nullopt;
  std::int64_t cores = 0;
  if (CFGetTypeID(property) == CFNumberGetTypeID())
    CFNumberGetValue(static_cast<CFNumberRef>(property), kCFNumberSInt64Type, &cores);
  CFRelease(property);
  return cores > 0 ? std::optional(cores) : std::nullopt;
}

}  // namespace

schema::HostInfo read_machine(const std::filesystem::path&) {
  schema::HostInfo host;
  host.cpu.model = text_of("machdep.cpu.brand_string");
  host.cpu.logical_cores = number_of("hw.logicalcpu").value_or(0);
  host.cpu.physical_cores = number_of("hw.physicalcpu");
  if (number_of("hw.nperflevels").value_or(1) > 1) {
    host.cpu.performance_cores = number_of("hw.perflevel0.physicalcpu");
    host.cpu.efficiency_cores = number_of("hw.perflevel1.physicalcpu");
  }
  host.cpu.features = features();
  host.gpu_cores = gpu_cores();
  host.memory_bytes = number_of("hw.memsize").value_or(0);
  xsw_usage swap{};
  std::size_t size = sizeof(swap);
  if (sysctlbyname("vm.swapusage", &swap, &size, nullptr, 0) == 0) {
    host.swap_used_bytes = static_cast<std::int64_t>(swap.xsu_used);
  }
  double load = 0;
  if (getloadavg(&load, 1) == 1) host.load_average = load;
  host.os.name = "macOS";
  host.os.version = text_of("kern.osproductversion");
  host.os.kernel = text_of("kern.osrelease");
  utsname names{};
  if (uname(&names) == 0) host.os.arch = names.machine;
  return host;
}

// Counts only performance cores: PyTorch uses as many threads on macOS.
std::int64_t usable_cores(const std::vector<int>& /*cpus*/, const std::filesystem::path& /*root*/) {
  const auto performance = number_of("hw.perflevel0.physicalcpu");
  return std::max<std::int64_t>(performance.value_or(number_of("hw.physicalcpu").value_or(1)), 1);
}

bool is_translated() {
  return number_of("sysctl.proc_translated") == 1;
}

}  // namespace mpsbench::report
