// Counts the operators that MPS hands to the CPU (PYTORCH_ENABLE_MPS_FALLBACK=1). LibTorch reports them only
// as warnings.
#pragma once

#include <c10/util/Exception.h>

#include <cstdint>
#include <set>
#include <string>

namespace mpsbench::device {

// Receives the warnings of the thread that made it, until it is destroyed. LibTorch also passes on the
// warnings of the backward pass's threads. By default LibTorch warns only about the first operator, so this
// class makes it warn every time. That takes time, so do not use it during measured steps.
class CpuFallbackWatch final : public c10::WarningHandler {
 public:
  CpuFallbackWatch() = default;

  void process(const c10::Warning& warning) override;

  // Returns how many different operators fell back so far.
  [[nodiscard]] std::int64_t operators() const { return static_cast<std::int64_t>(operators_.size()); }

 private:
  std::set<std::string> operators_;
  c10::WarningUtils::WarningHandlerGuard listening_{this};
  c10::WarningUtils::WarnAlways always_;
};

}  // namespace mpsbench::device
