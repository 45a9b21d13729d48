// Counts the operators that MPS hands to the CPU (PYTORCH_ENABLE_MPS_FALLBACK=1), which LibTorch only warns
// of.
#pragma once

#include <c10/util/Exception.h>

#include <cstdint>
#include <set>
#include <string>

namespace mpsbench::device {

// Listens while it lives, in the thread that made it; backward passes hand it their threads' warnings.
// LibTorch would warn of the first operator only, so meanwhile it is told to warn always, which takes time:
// not for measured steps.
class CpuFallbackWatch final : public c10::WarningHandler {
 public:
  CpuFallbackWatch() = default;

  void process(const c10::Warning& warning) override;

  // Different operators so far.
  [[nodiscard]] std::int64_t operators() const { return static_cast<std::int64_t>(operators_.size()); }

 private:
  std::set<std::string> operators_;
  c10::WarningUtils::WarningHandlerGuard listening_{this};
  c10::WarningUtils::WarnAlways always_;
};

}  // namespace mpsbench::device
