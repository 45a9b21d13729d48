// Finds out which attention kernel a step really uses. LibTorch chooses it by shapes while the step runs.
#pragma once

#include <ATen/record_function.h>

#include <memory>
#include <set>
#include <string>

namespace mpsbench::step {

// Watches this thread's operations as long as the object exists. Only one may exist at a time. It checks the
// name of every operation, which takes time, so use it only for a step that is not a sample.
class AttentionWatch {
 public:
  AttentionWatch();
  ~AttentionWatch();
  AttentionWatch(const AttentionWatch&) = delete;
  AttentionWatch& operator=(const AttentionWatch&) = delete;

  // Returns "flash", "efficient", "cudnn", "mps", "math" or "fused", or several joined by "+". Empty if there
  // was no attention.
  [[nodiscard]] std::string backend() const;

 private:
  static std::unique_ptr<at::ObserverContext> look(const at::RecordFunction& function);

  std::set<std::string> seen_;
  at::CallbackHandle handle_;
};

}  // namespace mpsbench::step
