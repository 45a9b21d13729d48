// What LibTorch only says in words: running out of memory, what MPS cannot do, and what MPS hands to the CPU.
#pragma once

#include <c10/util/Exception.h>

#include <cstdint>
#include <set>
#include <string>

namespace mpsbench::device {

// Recognizes LibTorch's messages about running out of memory and about what MPS cannot do.
[[nodiscard]] bool says_out_of_memory(const std::string& words);

// Returns "out of memory (asked for 20.00 GiB, 1.20 GiB free); lower --batch-size" if WORDS contain these
// sizes; otherwise their first line.
[[nodiscard]] std::string out_of_memory_message(const std::string& words);

// WORDS is an error message. Returns why the device cannot do the work, and what to do about it. Returns an
// empty text if the message is about something else.
[[nodiscard]] std::string why_unsupported(const std::string& words);

// Counts the operators that MPS hands to the CPU (PYTORCH_ENABLE_MPS_FALLBACK=1). LibTorch reports them only
// as warnings.

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
