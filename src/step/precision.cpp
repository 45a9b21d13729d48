#include "step/precision.hpp"

#include "base/error.hpp"

#include <ATen/autocast_mode.h>

namespace mpsbench::step {

Precision parse_precision(const std::string& name) {
  if (name == "fp32") return Precision::fp32;
  if (name == "bf16") return Precision::bf16;
  throw base::usage_error("unknown precision '" + name + "'");
}

PrecisionScope::PrecisionScope(Precision precision, c10::DeviceType device)
    : active_(precision != Precision::fp32), device_(device) {
  if (!active_) return;
  at::autocast::set_autocast_enabled(device_, true);
  at::autocast::set_autocast_dtype(device_, at::kBFloat16);  // the default differs between devices
  at::autocast::increment_nesting();
}

PrecisionScope::~PrecisionScope() {
  if (!active_) return;
  if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
  at::autocast::set_autocast_enabled(device_, false);
}

}  // namespace mpsbench::step
