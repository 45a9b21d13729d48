// The precision that a step computes in: fp32, or bf16 by autocast over fp32 weights.
#pragma once

#include <c10/core/DeviceType.h>

#include <string>

namespace mpsbench::step {

enum class Precision { fp32, bf16 };

// Throws Error(usage) for an unknown name.
[[nodiscard]] Precision parse_precision(const std::string& name);

// Autocast for a scope, on this thread. Casts of weights are forgotten at its end: an optimizer step would
// outdate them.
class PrecisionScope {
 public:
  PrecisionScope(Precision precision, c10::DeviceType device);
  ~PrecisionScope();
  PrecisionScope(const PrecisionScope&) = delete;
  PrecisionScope& operator=(const PrecisionScope&) = delete;

 private:
  bool active_;
  c10::DeviceType device_;
};

}  // namespace mpsbench::step
