#include "device/device.hpp"

#include "base/error.hpp"
#include "base/process_memory.hpp"
#include "base/units.hpp"
#include "device/cuda_driver.hpp"
#include "device/libtorch_errors.hpp"

#include <ATen/ATen.h>
#include <ATen/detail/MPSHooksInterface.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <torch/version.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <limits>

namespace mpsbench::device {

namespace {

constexpr int kTorchVersion = TORCH_VERSION_MAJOR * 100 + TORCH_VERSION_MINOR;
// MPS's allocator reports its memory use since LibTorch 2.13.
constexpr bool kMpsTellsMemory = kTorchVersion >= 213;

constexpr double kMemoryShare = 0.9;  // of the free memory

base::Error no_device(const std::string& message) {
  return {base::ErrorKind::no_device, message};
}

// Returns null if DEVICE has no allocator that reports its memory use.
c10::DeviceAllocator* counting_allocator(const c10::Device& device) {
  if (device.is_cpu() || (device.is_mps() && !kMpsTellsMemory)) return nullptr;
  return at::getDeviceAllocator(device.type());
}

std::optional<DeviceMemory> read_memory([[maybe_unused]] const c10::Device& device) {
#if TORCH_VERSION_MAJOR * 100 + TORCH_VERSION_MINOR >= 210  // 2.9 has no getMemoryInfo
  if (c10::DeviceAllocator* allocator = counting_allocator(device)) {
    const auto [free, total] = allocator->getMemoryInfo(device.index());
    return DeviceMemory{static_cast<std::int64_t>(free), static_cast<std::int64_t>(total)};
  }
#endif
  return std::nullopt;
}

// Returns nullopt also if the device's memory is so full that LibTorch cannot even ask.
std::optional<DeviceMemory> try_memory(const c10::Device& device) {
  try {
    return read_memory(device);
  } catch (const c10::Error&) {
    return std::nullopt;
  }
}

// Rewrites LibTorch's error WORDS about a device that cannot be opened, and adds what to do if that is known.
std::string in_plain_words(const std::string& words, const c10::Device& device) {
  if (device.is_mps() && says_out_of_memory(words))
    return "Metal cannot allocate memory on it; close other programs (a virtual machine's GPU may have no "
           "memory)";
  if (words.find("invalid low watermark ratio") != std::string::npos) {
    return "PYTORCH_MPS_HIGH_WATERMARK_RATIO is below PYTORCH_MPS_LOW_WATERMARK_RATIO, which is 1.4 unless "
           "you set it; set PYTORCH_MPS_LOW_WATERMARK_RATIO to a lower value, too";
  }
  if (words.find("out of memory") != std::string::npos) {
    std::string text = "other processes use up its memory";
    if (const auto memory = try_memory(device)) {
      text += " (" + base::format_bytes(static_cast<double>(memory->free_bytes)) + " of " +
              base::format_bytes(static_cast<double>(memory->total_bytes)) + " free)";
    }
    return text + "; end them (see nvidia-smi)";
  }
  if (words.find("busy or unavailable") != std::string::npos)
    return "another process has exclusive use of it; end that process (see nvidia-smi)";
  return base::first_line(words);
}

// Returns LibTorch's device for ID. Throws Error(no_device) if it does not exist here.
c10::Device find_device(const schema::DeviceId& id) {
  const KindRow& row = kind_row(id.kind);
  const PlatformFacts facts = platform_facts();
  if (const std::string reason = row.why_absent(facts); !reason.empty()) throw no_device(reason);
  if (const std::int64_t count = row.count(facts); id.index >= count) {
    throw no_device("device '" + to_string(id) + "' not found: there " +
                    (count == 1 ? "is 1 device" : "are " + std::to_string(count) + " devices") + " of its kind");
  }
  if (row.torch == c10::kCPU) return {c10::kCPU};
  return {row.torch, static_cast<c10::DeviceIndex>(id.index)};
}

struct Numbers {
  const char* name;
  at::Tensor sent;
};

// The bits of float32: without the sign, then with it.
at::Tensor floats(std::initializer_list<std::uint32_t> bits) {
  constexpr std::uint32_t kSign = 0x8000'0000;
  std::vector<std::int32_t> both;
  for (const std::uint32_t one : bits) {
    both.push_back(std::bit_cast<std::int32_t>(one));
    both.push_back(std::bit_cast<std::int32_t>(one | kSign));
  }
  return at::tensor(both).view(at::kFloat);
}

std::array<Numbers, 4> numbers() {
  using Limits = std::numeric_limits<std::int64_t>;
  return {{{"float32 zeros and ordinary numbers", floats({0, 0x3f80'0000, 0x0080'0000, 0x7f7f'ffff})},
           {"float32 denormals", floats({0x0000'0001, 0x0040'0000, 0x007f'ffff})},
           {"float32 infinities and NaNs", floats({0x7f80'0000, 0x7fc0'0000})},
           {"int64 numbers", at::tensor({std::int64_t{0}, std::int64_t{-1}, (std::int64_t{1} << 53) + 1, Limits::min(),
                                         Limits::max()})}}};
}

bool has_same_bits(const at::Tensor& one, const at::Tensor& other) {
  return one.scalar_type() == other.scalar_type() && one.sizes() == other.sizes() &&
         one.contiguous().view(at::kByte).equal(other.contiguous().view(at::kByte));
}

}  // namespace

Device::Device(c10::Device torch, schema::DeviceKind kind)
    : torch_(torch), kind_(kind), asynchronous_(row_of(kind).asynchronous), capabilities_(capabilities_of(kind)) {}

Device Device::open(const schema::DeviceId& id) {
  const c10::Device torch = find_device(id);
  if (!torch.is_cpu()) {
    if (const std::string reason = why_unusable(torch); !reason.empty())
      throw no_device("device '" + to_string(id) + "' is not usable: " + reason);
  }
  return {torch, id.kind};
}

void Device::synchronize() const {
  // There is nothing to wait for on the CPU, and its guard throws if it is called.
  if (torch_.is_cpu()) return;
  c10::impl::VirtualGuardImpl(torch_.type()).synchronizeDevice(torch_.index());
}

void Device::limit_memory() const {
  if (torch_.is_cuda()) {
    const auto memory = read_memory(torch_);
    if (memory && memory->total_bytes > 0) {
      limit_cuda_memory(torch_.index(), kMemoryShare * static_cast<double>(memory->free_bytes) /
                                            static_cast<double>(memory->total_bytes));
    }
  } else if (torch_.is_mps() && std::getenv("PYTORCH_MPS_HIGH_WATERMARK_RATIO") == nullptr) {
    at::detail::getMPSHooks().setMemoryFraction(kMemoryShare);  // of the recommended working set
  }
}

std::optional<DeviceMemory> Device::memory() const {
  return try_memory(torch_);
}

void Device::reset_peak_memory() const {
  c10::DeviceAllocator* allocator = counting_allocator(torch_);
  if (allocator == nullptr) return;
  allocator->emptyCache();
  allocator->resetPeakStats(torch_.index());
}

std::optional<PeakMemory> Device::peak_memory() const {
  c10::DeviceAllocator* allocator = counting_allocator(torch_);
  if (allocator == nullptr) return std::nullopt;
  const auto stats = allocator->getDeviceStats(torch_.index());
  return PeakMemory{stats.allocated_bytes[0].peak, stats.reserved_bytes[0].peak};
}

std::optional<std::int64_t> Device::live_bytes() const {
  c10::DeviceAllocator* allocator = counting_allocator(torch_);
  if (allocator == nullptr) return base::private_bytes();
  return allocator->getDeviceStats(torch_.index()).allocated_bytes[0].current;
}

std::string why_not_returned(const std::function<at::Tensor(const at::Tensor&)>& send_and_fetch) {
  for (const Numbers& one : numbers()) {
    if (!has_same_bits(one.sent, send_and_fetch(one.sent)))
      return std::string(one.name) + " that were copied to it came back changed";
  }
  return "";
}

std::string why_unusable(const c10::Device& device) {
  try {
    if (!device.is_cpu()) {
      at::globalContext().lazyInitDevice(device.type());
      c10::impl::VirtualGuardImpl(device.type()).setDevice(device);
    }
    // Twice the sum of 0 ... n-1, compared with the closed form.
    constexpr std::int64_t kCount = 1000;
    const at::Tensor numbers = at::arange(kCount, at::TensorOptions().dtype(at::kFloat)).to(device);
    const auto sum = (numbers * 2).sum().item<float>();
    constexpr auto kExpected = static_cast<float>(kCount * (kCount - 1));
    if (std::abs(sum - kExpected) > 1e-5F * kExpected) return "it computed a wrong sum";
    return why_not_returned([&](const at::Tensor& sent) {
      return sent.to(device, sent.scalar_type(), /*non_blocking=*/false, /*copy=*/true).cpu();
    });
  } catch (const c10::Error& error) {
    return in_plain_words(error.what_without_backtrace(), device);
  }
}

DeviceEvents::DeviceEvents(const Device& device) : device_(device.torch()) {}

void DeviceEvents::mark() {
  if (marks_ == events_.size()) events_.emplace_back(device_.type(), c10::EventFlag::BACKEND_DEFAULT);
  events_[marks_++].record(c10::impl::VirtualGuardImpl(device_.type()).getStream(device_));
}

std::vector<double> DeviceEvents::take_seconds() {
  constexpr double kMillisecond = 1e-3;
  std::vector<double> seconds;
  if (marks_ > 0) events_[marks_ - 1].synchronize();
  for (std::size_t i = 1; i < marks_; ++i) {
    seconds.push_back(events_[i - 1].elapsedTime(events_[i]) * kMillisecond);
  }
  marks_ = 0;
  return seconds;
}

MatmulOperation::MatmulOperation(const Device& device) {
  constexpr std::int64_t kSize = 2048;
  const at::TensorOptions options = at::TensorOptions().dtype(at::kFloat).device(device.torch());
  left_ = at::ones({kSize, kSize}, options);
  right_ = at::ones({kSize, kSize}, options);
  product_ = at::empty({kSize, kSize}, options);
}

void MatmulOperation::run() {
  at::mm_out(product_, left_, right_);
}

std::optional<double> MatmulOperation::loss() {
  return product_.select(0, 0).select(0, 0).item<double>();
}

}  // namespace mpsbench::device
