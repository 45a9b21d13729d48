#include "device/cpu_fallback.hpp"

#include <string_view>

namespace mpsbench::device {

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
