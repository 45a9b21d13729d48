// Which kernel attention was really computed by: seen while a step runs, since LibTorch chooses by shapes.
#pragma once

#include <ATen/record_function.h>

#include <memory>
#include <set>
#include <string>

namespace mpsbench::step {

// Watches this thread's operations while it lives; one at a time. Costs every operation a look at its name,
// so it is for a step that is not a sample.
class AttentionWatch {
 public:
  AttentionWatch();
  ~AttentionWatch();
  AttentionWatch(const AttentionWatch&) = delete;
  AttentionWatch& operator=(const AttentionWatch&) = delete;

  // "flash", "efficient", "cudnn", "mps", "math" or "fused"; several joined by "+"; empty when there was
  // none.
  [[nodiscard]] std::string backend() const;

 private:
  static std::unique_ptr<at::ObserverContext> look(const at::RecordFunction& function);

  std::set<std::string> seen_;
  at::CallbackHandle handle_;
};

}  // namespace mpsbench::step
