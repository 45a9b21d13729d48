#include "report/host/variables.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace mpsbench::report {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

bool is_on(std::string_view value) {
  constexpr std::string_view kOff[] = {"", "0", "false", "off", "no", "none"};
  return std::ranges::find(kOff, lower(value)) == std::end(kOff);
}

bool is_yes(std::string_view value) {
  constexpr std::string_view kYes[] = {"1", "true", "on", "yes"};
  return std::ranges::find(kYes, lower(value)) != std::end(kYes);
}

bool is_set(std::string_view /*value*/) {
  return true;
}

bool is_zero(std::string_view value) {
  return value == "0";
}

bool is_limit(std::string_view value) {
  const std::string word = lower(value);
  return is_on(value) && word != "all" && word != "default";
}

bool has_checker(std::string_view value) {
  return contains_any(value, {"asan", "tsan", "ubsan", "lsan", "vgpreload", "heaptrack", "libc_malloc_debug"});
}

bool weakens_libc(std::string_view value) {
  return contains_any(value, {"hwcaps=-", ",-", "malloc.check", "malloc.perturb"});
}

constexpr const char* kIsa = "limits the vector instructions that oneDNN uses";
constexpr const char* kDnnLog = "oneDNN writes a line for each operation";
constexpr const char* kNoCache = "with 0, oneDNN prepares each operation again";
constexpr const char* kMetalCheck = "Metal checks every command";
constexpr const char* kMallocCheck = "macOS checks or records each allocation";

// Names come before the families that they belong to.
constexpr Variable kVariables[] = {
    {"ATEN_CPU_CAPABILITY", "chooses the vector instructions of LibTorch's own kernels; default: the weakest",
     [](std::string_view value) { return value == "default"; }},
    {"ATEN_*", "choose LibTorch's kernels"},
    {"ONEDNN_MAX_CPU_ISA", kIsa, is_limit},
    {"DNNL_MAX_CPU_ISA", kIsa, is_limit},
    {"ONEDNN_VERBOSE", kDnnLog, is_on},
    {"DNNL_VERBOSE", kDnnLog, is_on},
    {"ONEDNN_PRIMITIVE_CACHE_CAPACITY", kNoCache, is_zero},
    {"DNNL_PRIMITIVE_CACHE_CAPACITY", kNoCache, is_zero},
    {"ONEDNN_*", "choose oneDNN's kernels and their precision"},
    {"DNNL_*", "the older names of ONEDNN_*"},
    {"LRU_CACHE_CAPACITY", "with 0, LibTorch prepares each of oneDNN's operations again", is_zero},
    {"THP_MEM_ALLOC_ENABLE", "gives tensors large pages"},
    {"MKL_ENABLE_INSTRUCTIONS", "limits the vector instructions that MKL uses", is_set},
    {"MKL_CBWR", "MKL computes the same bits on every processor, with weaker instructions", is_limit},
    {"MKL_DOMAIN_NUM_THREADS", "gives MKL's functions other numbers of threads than --threads", is_set},
    {"MKL_VERBOSE", "MKL writes a line for each operation", is_on},
    {"MKL_*", "choose MKL's kernels and threads"},
    {"OPENBLAS_*", "choose OpenBLAS's kernels and threads"},
    {"VECLIB_MAXIMUM_THREADS", "limits the threads of Apple's Accelerate"},
    {"OMP_DYNAMIC", "lets OpenMP use fewer threads than asked for", is_yes},
    {"OMP_WAIT_POLICY", "with passive, threads sleep between operations",
     [](std::string_view value) { return lower(value) == "passive"; }},
    {"GOMP_SPINCOUNT", "with 0, threads sleep between operations", is_zero},
    {"KMP_BLOCKTIME", "with 0, threads sleep between operations", is_zero},
    {"OMP_*", "number and places of OpenMP's threads"},
    {"GOMP_*", "places and waiting of libgomp's threads"},
    {"KMP_*", "number, places and waiting of libomp's threads"},
    {"LD_PRELOAD", "replaces functions, such as the allocator's; only file names are shown", has_checker},
    {"DYLD_INSERT_LIBRARIES", "the same on macOS", has_checker},
    {"MALLOC_PERTURB_", "glibc fills memory when it is allocated and freed", is_on},
    {"MALLOC_*", "tune the allocator of glibc or jemalloc"},
    {"GLIBC_TUNABLES", "tunes glibc's allocator, and limits the instructions that it uses", weakens_libc},
    {"MallocNanoZone", "chooses macOS's allocator for small blocks"},
    {"Malloc*", kMallocCheck, is_on},
    {"PYTORCH_NO_CUDA_MEMORY_CACHING", "every tensor is allocated by the driver", is_on},
    {"PYTORCH_*", "allocators, MPS, and operators that MPS leaves to the CPU"},
    {"TORCH_CUDNN_V8_API_DISABLED", "cuDNN's older interface chooses convolutions", is_on},
    {"TORCH_DISTRIBUTED_DEBUG", "with DETAIL, every collective operation is checked",
     [](std::string_view value) { return lower(value) == "detail"; }},
    {"TORCH_NCCL_BLOCKING_WAIT", "the host waits for every collective operation", is_on},
    {"TORCH_SHOW_DISPATCH_TRACE", "LibTorch writes a line for each operator", is_on},
    {"TORCH_*", "choose LibTorch's libraries and kernels"},
    {"TORCHINDUCTOR_*", "how networks are compiled"},
    {"CUDA_LAUNCH_BLOCKING", "the host waits for every kernel", is_on},
    {"CUDA_INJECTION64_PATH", "loads a profiler into every program; only its file name is shown", is_set},
    {"CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "programs get only this share of the GPU",
     [](std::string_view value) { return value != "100"; }},
    {"CUDA_*", "which GPUs there are, and how work is queued on them"},
    {"CUDNN_*", "what cuDNN logs"},
    {"CUBLAS_*", "cuBLAS's memory for work, and what it logs"},
    {"CUBLASLT_*", "the same of cuBLASLt"},
    {"NVIDIA_TF32_OVERRIDE", "turns tf32 on or off for all libraries", is_zero},
    {"NCCL_P2P_DISABLE", "GPUs exchange data through the host's memory", is_on},
    {"NCCL_SHM_DISABLE", "GPUs that do not reach each other's memory exchange data over the network", is_on},
    {"NCCL_IB_DISABLE", "machines exchange data without InfiniBand", is_on},
    {"NCCL_ALGO", "NCCL does not choose the fastest algorithm itself", is_set},
    {"NCCL_PROTO", "NCCL does not choose the fastest protocol itself", is_set},
    {"NCCL_*", "how GPUs and machines exchange data"},
    {"MTL_*", kMetalCheck, is_on},
    {"METAL_*", kMetalCheck, is_on},
    {"AMD_SERIALIZE_KERNEL", "the host waits for every kernel", is_on},
    {"HIP_LAUNCH_BLOCKING", "the host waits for every kernel", is_on},
    {"HIP_VISIBLE_DEVICES", "which GPUs there are"},
    {"HSA_OVERRIDE_GFX_VERSION", "runs the kernels of another kind of GPU"},
    {"HSA_ENABLE_SDMA", "with 0, kernels copy data instead of the GPU's copy engines", is_zero},
    {"HSA_*", "how ROCm queues work"},
    {"MIOPEN_*", "how MIOpen finds convolutions"}};

bool is_named_by(const Variable& row, std::string_view name) {
  return row.is_family() ? name.starts_with(row.name.substr(0, row.name.size() - 1)) : name == row.name;
}

}  // namespace

bool contains_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::ranges::any_of(parts, [&](std::string_view part) { return text.find(part) != text.npos; });
}

const Variable* find_variable(std::string_view name) {
  const auto* found = std::ranges::find_if(kVariables, [&](const Variable& row) { return is_named_by(row, name); });
  return found == std::end(kVariables) ? nullptr : found;
}

const Variable* find_slow_variable(std::string_view name, std::string_view value) {
  const Variable* row = find_variable(name);
  return row != nullptr && row->slows != nullptr && row->slows(value) ? row : nullptr;
}

std::string variable_table() {
  std::string table = "| variable | what it does to speed | some values slow down |\n| --- | --- | --- |\n";
  for (const Variable& row : kVariables)
    table += "| `" + std::string(row.name) + "` | " + row.effect + " | " + (row.slows != nullptr ? "yes" : "") + " |\n";
  return table;
}

}  // namespace mpsbench::report
