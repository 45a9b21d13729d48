#include "device/out_of_memory.hpp"

#include "base/first_line.hpp"
#include "base/units.hpp"

#include <cstddef>
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

}  // namespace

bool says_out_of_memory(const std::string& words) {
  for (const std::string_view said :
       {std::string_view("can't allocate memory"), std::string_view("out of memory"),
        std::string_view("_STATUS_ALLOC_FAILED"),  // from cuBLAS and cuDNN
        kLargestBuffer, kMetalOutOfMemory}) {
    if (words.find(said) != std::string::npos) return true;
  }
  return false;
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
  if (bytes)
    return "out of memory (asked for " + base::format_bytes(static_cast<double>(*bytes)) + ")" + kCure;
  return base::first_line(words);
}

}  // namespace mpsbench::device
