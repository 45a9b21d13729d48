// How far a correct step may be from the one that it is compared with.
#pragma once

#include "step/comparison.hpp"
#include "step/precision.hpp"
#include "step/train_step.hpp"

#include <c10/core/Device.h>

#include <optional>
#include <vector>

namespace mpsbench::step {

// Of a step at PRECISION from the CPU's in fp32.
[[nodiscard]] Limits cpu_limits(Precision precision);
// Of an engine that runs eager's own kernels from eager.
[[nodiscard]] Limits engine_limits(Precision precision);
// Of a package from eager, on DEVICE.
[[nodiscard]] Limits package_limits(Precision precision, const c10::Device& device);

// Allows twice the differences that CHECKS found between eager and eager in more exact arithmetic, but never
// so much that a gradient may be missing.
void widen(Limits& limits, const std::vector<schema::AgreementCheck>& checks);

// Returns LIMITS without that of the weights if TRAINING has no update.
[[nodiscard]] Limits without_update(Limits limits, const std::optional<TrainSettings>& training);

}  // namespace mpsbench::step
