#include "device/cuda_driver.hpp"

#include <dlfcn.h>

#include <array>

namespace mpsbench::device {
namespace {

// Calls functions of libcuda, which return 0 for success. The library stays open, because unloading CUDA is
// unsafe.
class Library {
 public:
  Library() : handle_(::dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL)) {}

  template <typename... Arguments>
  [[nodiscard]] bool call(const char* name, Arguments... arguments) const {
    if (handle_ == nullptr) return false;
    auto* function = reinterpret_cast<int (*)(Arguments...)>(::dlsym(handle_, name));
    return function != nullptr && function(arguments...) == 0;
  }

 private:
  void* handle_;
};

// The driver's numbers for these attributes.
constexpr int kCapabilityMajor = 75;
constexpr int kCapabilityMinor = 76;

std::optional<CudaGpu> read_gpu(const Library& cuda, int index) {
  int device = 0;
  std::array<char, 256> name{};
  std::size_t bytes = 0;
  int major = 0;
  int minor = 0;
  if (!cuda.call("cuDeviceGet", &device, index)) return std::nullopt;
  if (!cuda.call("cuDeviceGetName", name.data(), static_cast<int>(name.size()), device)) return std::nullopt;
  if (!cuda.call("cuDeviceTotalMem_v2", &bytes, device)) return std::nullopt;
  if (!cuda.call("cuDeviceGetAttribute", &major, kCapabilityMajor, device)) return std::nullopt;
  if (!cuda.call("cuDeviceGetAttribute", &minor, kCapabilityMinor, device)) return std::nullopt;
  return CudaGpu{name.data(), static_cast<std::int64_t>(bytes), std::to_string(major) + "." + std::to_string(minor)};
}

// Returns the driver's number of the GPU with ID.
std::optional<int> open_gpu(const Library& cuda, const schema::DeviceId& id) {
  int device = 0;
  const bool is_there = id.kind == schema::DeviceKind::cuda && cuda.call("cuInit", 0U) &&
                        cuda.call("cuDeviceGet", &device, static_cast<int>(id.index));
  return is_there ? std::optional(device) : std::nullopt;
}

}  // namespace

std::string cuda_version_text(long number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

std::optional<CudaDriver> read_cuda_driver() {
  const Library cuda;
  int version = 0;
  if (!cuda.call("cuDriverGetVersion", &version)) return std::nullopt;
  CudaDriver driver;
  driver.cuda_version = cuda_version_text(version);
  int count = 0;
  if (!cuda.call("cuInit", 0U) || !cuda.call("cuDeviceGetCount", &count)) return driver;
  for (int i = 0; i < count; ++i) {
    if (const auto gpu = read_gpu(cuda, i)) driver.gpus.push_back(*gpu);
  }
  return driver;
}

std::optional<std::string> pci_bus_id(const schema::DeviceId& id) {
  const Library cuda;
  const auto device = open_gpu(cuda, id);
  std::array<char, 32> text{};
  if (!device || !cuda.call("cuDeviceGetPCIBusId", text.data(), static_cast<int>(text.size()), *device))
    return std::nullopt;
  return text.data();
}

std::optional<std::string> gpu_uuid(const schema::DeviceId& id) {
  const Library cuda;
  const auto device = open_gpu(cuda, id);
  std::array<unsigned char, 16> bytes{};
  if (!device || !cuda.call("cuDeviceGetUuid_v2", bytes.data(), *device)) return std::nullopt;
  std::string digits;
  for (const unsigned byte : bytes) {
    digits += "0123456789abcdef"[byte / 16];
    digits += "0123456789abcdef"[byte % 16];
  }
  return digits;
}

}  // namespace mpsbench::device
