#include "device/kinds.hpp"

#include "base/error.hpp"
#include "device/cuda_driver.hpp"
#include "device/device.hpp"

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/TensorOptions.h>
#include <torch/version.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>
#include <string_view>
#include <tuple>

#ifdef __APPLE__
#include <ATen/mps/MPSDevice.h>
#endif

namespace mpsbench::device {

namespace {

std::vector<int> numbers(const std::string& version) {
  std::vector<int> parts;
  std::istringstream text(version);
  for (int part = 0; text >> part; text.ignore(1, '.')) parts.push_back(part);
  return parts;
}

// Compares number by number: 12.10 is later than 12.3.
bool version_at_least(const std::string& version, const std::string& wanted) {
  return numbers(version) >= numbers(wanted);
}

using schema::DeviceKind;

void describe_nothing(schema::DeviceStatus& /*status*/) {}

void describe_cuda(schema::DeviceStatus& status) {
  const auto driver = read_cuda_driver();
  const auto index = static_cast<std::size_t>(status.device.index);
  if (!driver || index >= driver->gpus.size()) return;
  const CudaGpu& gpu = driver->gpus[index];
  status.name = gpu.name;
  status.capability = gpu.capability;
  status.memory_bytes = gpu.memory_bytes;
}

#ifdef __APPLE__
void describe_mps(schema::DeviceStatus& status) {
  status.name = at::mps::MPSDevice::getInstance()->getName() + " (unified memory)";
}
#else
void describe_mps(schema::DeviceStatus& /*status*/) {}
#endif

constexpr std::int64_t one(const PlatformFacts& /*facts*/) {
  return 1;
}

// MPS has events, but up to LibTorch 2.13 their times can run backwards and waiting for them can hang. So MPS
// is timed only by windows. Up to LibTorch 2.12 its fused optimizers ignore found_inf (pytorch PR 186360).
constexpr bool kMpsSkips = TORCH_VERSION_MAJOR * 100 + TORCH_VERSION_MINOR >= 213;

const std::array kRows{
    KindRow{DeviceKind::cpu,
            c10::kCPU,
            {.overflow_skips = true, .unified_memory = true},
            [](const PlatformFacts&) { return true; },
            [](const PlatformFacts&) { return std::string(); },
            one,
            describe_nothing},
    KindRow{DeviceKind::mps,
            c10::kMPS,
            {.overflow_skips = kMpsSkips, .unified_memory = true},
            [](const PlatformFacts& facts) { return facts.mps_built; },
            why_no_mps,
            one,
            describe_mps},
    KindRow{DeviceKind::cuda,
            c10::kCUDA,
            {.events = true, .graphs = true, .copy_streams = true, .overflow_skips = true, .tf32 = true},
            [](const PlatformFacts& facts) { return facts.cuda_built; },
            why_no_cuda,
            [](const PlatformFacts& facts) { return facts.cuda_devices; },
            describe_cuda}};

static_assert(std::tuple_size_v<decltype(kRows)> == schema::ClosedSet<DeviceKind>::kRows.size());

// The operator of LibTorch that multiplies by weights of so many BITS.
const char* product_of_bits(DeviceKind kind, int bits) {
  if (bits == 8) return "aten::_weight_int8pack_mm";
  return kind == DeviceKind::cpu ? "aten::_weight_int4pack_mm_for_cpu" : "aten::_weight_int4pack_mm";
}

bool has_kernel(const char* name, c10::DeviceType device) {
  const auto found = c10::Dispatcher::singleton().findSchema({name, ""});
  return found && found->hasComputedKernelForDispatchKey(c10::computeDispatchKey(at::kBFloat16, c10::kStrided, device));
}

// Returns an empty text if devices of KIND compute in PRECISION.
std::string why_no_precision(DeviceKind kind, schema::Precision precision) {
  const int bits = row_of(precision).weight_bits;
  if (bits > 0 && !has_kernel(product_of_bits(kind, bits), kind_row(kind).torch))
    return "this LibTorch has no products of weights in " + std::to_string(bits) + " bits on " + to_string(kind) +
           "; use --precision " + to_string(schema::Precision::pure_bf16);
  if (precision != schema::Precision::tf32 || kind_row(kind).capabilities.tf32) return "";
  return "only NVIDIA's GPUs compute in tf32; use --precision fp32 on " + to_string(kind);
}

}  // namespace

std::string why_no_cuda(const PlatformFacts& facts) {
  const std::string missing = "CUDA device not found: ";
  if (facts.macos) return missing + "there is no CUDA on a Mac; use --device mps";
  if (!facts.cuda_built)
    return missing +
           "this LibTorch is a CPU-only build; install a CUDA build, and build mpsbench with it unless pip "
           "installed mpsbench";
  if (!facts.cuda_of_driver) return missing + "no NVIDIA driver is loaded; install one, or use --device cpu";
  if (facts.cuda_devices > 0) return "";
  if (facts.cuda_needed && !version_at_least(*facts.cuda_of_driver, *facts.cuda_needed)) {
    return missing + "the NVIDIA driver supports CUDA " + *facts.cuda_of_driver + ", but this LibTorch needs " +
           *facts.cuda_needed + "; update the driver";
  }
  return missing + "no GPU is visible; see nvidia-smi and CUDA_VISIBLE_DEVICES";
}

std::string why_no_mps(const PlatformFacts& facts) {
  if (!facts.macos) return "MPS device not found: only Macs have MPS; use --device cuda or cpu";
  std::vector<std::string> reasons;  // of the machine: the user hears all of them at once
  if (facts.translated) {
    reasons.emplace_back(
        "this is an x86-64 process under Rosetta; build and run mpsbench as arm64 (`arch -arm64`, with an "
        "arm64 Python or LibTorch; docs/mac.md says how to keep conda at arm64)");
  } else if (!facts.arm64_process) {
    reasons.emplace_back("LibTorch does not support the GPUs of Intel Macs; use --device cpu");
  }
  if (!version_at_least(facts.system_version, facts.least_macos)) {
    reasons.push_back("this LibTorch's MPS needs macOS " + facts.least_macos + " or later, but this is " +
                      facts.system_version + "; update macOS");
  }
  if (reasons.empty() && !facts.mps_built) {
    reasons.emplace_back("this LibTorch is built without MPS; install PyTorch's build for macOS on arm64");
  } else if (reasons.empty() && !facts.mps_available) {
    reasons.emplace_back("LibTorch finds no GPU; if this is a virtual machine, give it one, or use --device cpu");
  }
  std::string text;
  for (const std::string& reason : reasons) text += (text.empty() ? "MPS device not found: " : "; also, ") + reason;
  return text;
}

const KindRow& kind_row(DeviceKind kind) {
  return kRows.at(static_cast<std::size_t>(kind));
}

Capabilities capabilities_of(DeviceKind kind) {
  const char* row = std::getenv("MPSBENCH_DEVICE_ROW");
  const bool as_mps = kind == DeviceKind::cuda && row != nullptr && std::string_view(row) == "mps";
  return kind_row(as_mps ? DeviceKind::mps : kind).capabilities;
}

void require_precision(schema::DeviceKind kind, schema::Precision precision) {
  if (const std::string reason = why_no_precision(kind, precision); !reason.empty())
    throw base::Error(base::ErrorKind::no_device, reason);
}

namespace {

using schema::DeviceStatus;

void try_out(DeviceStatus& status) {
  try {
    const Device device = Device::open(status.device);
    if (device.torch().is_cpu()) status.reason = why_unusable(device.torch());
    if (const auto memory = device.memory()) {
      status.memory_bytes = memory->total_bytes;
      status.free_bytes = memory->free_bytes;
    }
  } catch (const base::Error& error) {
    status.reason = error.what();
  }
  status.usable = status.reason.empty();
}

void refuse_int4_on_old_gpus(DeviceStatus& status) {
  constexpr const char* kLeast = "8.0";
  if (!status.capability || version_at_least(*status.capability, kLeast)) return;
  for (auto& offer : status.precisions) {
    if (row_of(offer.value).weight_bits == 4)
      offer.reason = std::string("products of weights in 4 bits need compute capability ") + kLeast +
                     ", but this GPU has " + *status.capability + "; use --precision int8";
  }
}

// Returns one status per device that LibTorch sees. If the kind cannot be tried, returns a single status with
// the reason.
std::vector<DeviceStatus> probe_kind(const KindRow& row, const PlatformFacts& facts) {
  const schema::DeviceKindRow& kind = row_of(row.kind);
  DeviceStatus first{.device = schema::DeviceId(row.kind), .name = std::string(kind.help)};
  first.built_in = row.built_in(facts);
  first.reason = row.why_absent(facts);
  first.unified_memory = capabilities_of(row.kind).unified_memory;
  if (!first.reason.empty()) return {first};
  for (const auto& precision : schema::ClosedSet<schema::Precision>::kRows)
    first.precisions.push_back({precision.value, why_no_precision(row.kind, precision.value)});
  std::vector<DeviceStatus> statuses;
  for (std::int64_t i = 0; i < row.count(facts); ++i) {
    DeviceStatus& status = statuses.emplace_back(first);
    status.device.index = i;
    row.describe(status);
    refuse_int4_on_old_gpus(status);
    try_out(status);
  }
  return statuses;
}

}  // namespace

std::vector<DeviceStatus> probe_devices() {
  const PlatformFacts facts = platform_facts();
  std::vector<const KindRow*> rows;
  for (const KindRow& row : kRows) rows.push_back(&row);
  std::sort(rows.begin() + 1, rows.end(), [](const KindRow* a, const KindRow* b) {  // the CPU stays first
    return row_of(a->kind).rank > row_of(b->kind).rank;
  });
  std::vector<DeviceStatus> all;
  for (const KindRow* row : rows) {
    for (const DeviceStatus& status : probe_kind(*row, facts)) all.push_back(status);
  }
  return all;
}

}  // namespace mpsbench::device
