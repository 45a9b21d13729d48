#include "device/libtorch_errors.hpp"

#include "base/error.hpp"
#include "base/units.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace mpsbench::device {

namespace {

// Returns the part of WORDS between BEFORE and AFTER, or an empty text if either is missing.
std::string between(const std::string& words, const std::string& before, const std::string& after) {
  const std::size_t found = words.find(before);
  if (found == std::string::npos) return "";
  const std::size_t begin = found + before.size();
  const std::size_t end = words.find(after, begin);
  return end == std::string::npos ? "" : words.substr(begin, end - begin);
}

constexpr const char* kCure = "; lower --batch-size";
constexpr std::string_view kLargestBuffer = "Invalid buffer size: ";  // on MPS, about a single tensor
constexpr std::string_view kMetalOutOfMemory = "kIOGPUCommandBufferCallbackErrorOutOfMemory";

// "MPS backend out of memory (MPS allocated: A, other allocations: B, max allowed: C). Tried to allocate D on
// private pool. ..." LibTorch leaves the limit out if PYTORCH_MPS_HIGH_WATERMARK_RATIO=0 removes it.
std::string mps_message(const std::string& words) {
  const std::string wanted = between(words, "Tried to allocate ", " on ");
  const std::string allocated = between(words, "MPS allocated: ", ",");
  if (wanted.empty() || allocated.empty()) return "";
  const std::string allowed = between(words, "max allowed: ", ")");
  const std::string other = between(words, "other allocations: ", allowed.empty() ? ")" : ",");
  return "out of memory (asked for " + wanted + ", " + allocated + " held by LibTorch" +
         (other.empty() ? "" : " and " + other + " by other allocations") +
         (allowed.empty() ? "" : ", " + allowed + " allowed to a launch") + ")" + kCure;
}

bool says_one_of(const std::string& words, std::initializer_list<std::string_view> marks) {
  return std::ranges::any_of(marks, [&](std::string_view mark) { return words.find(mark) != std::string::npos; });
}

}  // namespace

bool says_out_of_memory(const std::string& words) {
  // The third is from cuBLAS and cuDNN.
  return says_one_of(
      words, {"can't allocate memory", "out of memory", "_STATUS_ALLOC_FAILED", kLargestBuffer, kMetalOutOfMemory});
}

std::string out_of_memory_message(const std::string& words) {
  if (const std::string text = mps_message(words); !text.empty()) return text;
  if (const std::size_t found = words.find(kLargestBuffer); found != std::string::npos) {
    const std::string size = base::first_line(words.substr(found + kLargestBuffer.size()));
    return "out of memory (one tensor of " + size + " is more than the GPU's largest buffer)" + kCure;
  }
  if (words.find(kMetalOutOfMemory) != std::string::npos)
    return std::string("out of memory (the GPU could not finish its work)") + kCure;
  const std::string wanted = between(words, "Tried to allocate ", ". ");
  const std::string free = between(words, "of which ", " is free");
  const std::string allowed = between(words, " memory in use. ", " allowed; ");
  if (!wanted.empty() && !free.empty()) {
    return "out of memory (asked for " + wanted + ", " + free + " free" +
           (allowed.empty() ? "" : ", " + allowed + " allowed to a launch") + ")" + kCure;
  }
  const auto bytes = base::parse_whole_number(between(words, "you tried to allocate ", " bytes"));
  if (bytes) return "out of memory (asked for " + base::format_bytes(static_cast<double>(*bytes)) + ")" + kCure;
  return base::first_line(words);
}

std::string why_unsupported(const std::string& words) {
  if (says_one_of(words, {"MPS framework doesn't support float64", "float64 is not supported on MPS"}))
    return "MPS has no float64; use a model whose tensors are float32";
  const std::string name = between(words, "The operator '", "' is not currently implemented for the MPS");
  if (!name.empty()) {
    return "MPS has no operator " + name +
           " in this LibTorch; set PYTORCH_ENABLE_MPS_FALLBACK=1 to have the CPU run it (slower; flagged "
           "cpu-fallback)";
  }
  // MPS has the operator, but not for this size, type or combination.
  if (says_one_of(words, {"not implemented on MPS", "not supported on MPS", "not supported at the MPS",
                          "not supported for MPS", "not supported in MPS", "MPS does not support",
                          "MPS device does not support", "MPS supports tensors with dimensions",
                          "to the MPS backend but it does not have support for that dtype"})) {
    return "MPS cannot do this: " + base::first_line(words);
  }
  return "";
}

void CpuFallbackWatch::process(const c10::Warning& warning) {
  // "The operator 'aten::NAME' is not currently supported on the MPS backend and will fall back to run on the
  // CPU. ..."
  constexpr std::string_view kBegin = "The operator '";
  const std::string& text = warning.msg();
  const bool fallback = text.starts_with(kBegin) && text.find("MPS backend") != std::string::npos &&
                        text.find("fall back to run on the CPU") != std::string::npos;
  if (fallback) {
    const std::size_t end = text.find('\'', kBegin.size());
    if (!operators_.insert(text.substr(kBegin.size(), end - kBegin.size())).second) return;
  }
  c10::WarningHandler::process(warning);
}

}  // namespace mpsbench::device
