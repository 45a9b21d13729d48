#include "device/unsupported.hpp"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string_view>

namespace mpsbench::device {
namespace {

// Returns NAME from "The operator 'aten::NAME' is not currently implemented for the MPS device. ..."; empty
// if WORDS is a different message.
std::string missing_operator(const std::string& words) {
  constexpr std::string_view kBegin = "The operator '";
  const std::size_t begin = words.find(kBegin);
  if (begin == std::string::npos) return "";
  const std::size_t end = words.find("' is not currently implemented for the MPS", begin);
  const std::size_t name = begin + kBegin.size();
  return end == std::string::npos ? "" : words.substr(name, end - name);
}

bool says_one_of(const std::string& words, std::initializer_list<std::string_view> marks) {
  return std::ranges::any_of(marks,
                             [&](std::string_view mark) { return words.find(mark) != std::string::npos; });
}

}  // namespace

std::string why_unsupported(const std::string& words) {
  if (says_one_of(words, {"MPS framework doesn't support float64", "float64 is not supported on MPS"}))
    return "MPS has no float64; use a model whose tensors are float32";
  if (const std::string name = missing_operator(words); !name.empty()) {
    return "MPS has no operator " + name +
           " in this LibTorch; set PYTORCH_ENABLE_MPS_FALLBACK=1 to have the CPU run it (slower; flagged "
           "cpu-fallback)";
  }
  // MPS has the operator, but not for this size, type or combination.
  if (says_one_of(words, {"not implemented on MPS", "not supported on MPS", "not supported at the MPS",
                          "not supported for MPS", "not supported in MPS", "MPS does not support",
                          "MPS device does not support", "MPS supports tensors with dimensions",
                          "to the MPS backend but it does not have support for that dtype"})) {
    return "MPS cannot do this: " + words.substr(0, words.find('\n'));
  }
  return "";
}

}  // namespace mpsbench::device
