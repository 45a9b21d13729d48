#include "device/unsupported.hpp"

#include <cstddef>
#include <string_view>

namespace mpsbench::device {

std::string why_unsupported(const std::string& words) {
  if (words.find("MPS framework doesn't support float64") != std::string::npos)
    return "MPS has no float64; use a model whose tensors are float32";
  // "The operator 'aten::NAME' is not currently implemented for the MPS device. ..."
  constexpr std::string_view kBegin = "The operator '";
  const std::size_t begin = words.find(kBegin);
  const std::size_t end =
      begin == std::string::npos ? begin : words.find("' is not currently implemented for the MPS", begin);
  if (end == std::string::npos) return "";
  const std::size_t name = begin + kBegin.size();
  return "MPS has no operator " + words.substr(name, end - name) +
         " in this LibTorch; set PYTORCH_ENABLE_MPS_FALLBACK=1 to have the CPU run it (slower; flagged "
         "cpu-fallback)";
}

}  // namespace mpsbench::device
