#include "step/limits.hpp"

#include <algorithm>

namespace mpsbench::step {

// What PRECISION can explain of a difference from the CPU's fp32:
// - Output: the sum of all layers' rounding. In bf16, the bundled networks differ by up to 2 %.
// - Loss: a smooth function of outputs that are at most 1.
// - Gradients: a rounding error can put a value on the other side of a ReLU or choose another element in a
//   max pooling, and the gradient then takes another way. The share of such values grows with the square root
//   of the rounding error. The bundled networks' gradients differ by up to 30 % in bf16, and in fp32 from
//   fp64 by 0.2 %; fast convolutions on a GPU may round 100 times as much, and so differ by 2 %. A missing or
//   doubled gradient differs by 100 %.
// - Weights: both sides update from the same gradients, in fp32 at each precision. An optimizer may compute
//   its bias correction in fp32, which costs 1e-4 of the change.
Limits cpu_limits(Precision precision) {
  constexpr double kWeights = 1e-3;
  switch (precision) {
    case Precision::fp32:
      return {1e-3, 1e-4, 0.1, kWeights};
    case Precision::tf32:
      return {1e-2, 1e-3, 0.4, kWeights};
    case Precision::fp16:
      return {1e-1, 1e-2, 0.4, kWeights};
    case Precision::bf16:
      return {1e-1, 1e-2, 0.7, kWeights};
  }
  return {};
}

// An engine starts the same kernels with the same numbers, so only the order of atomic additions differs:
// about 1e-7 of the sums, in bf16 and fp16 sometimes a rounding more. Adam's first change is the sign of a
// gradient, so where a gradient's element is nearly zero this can turn the whole change.
Limits engine_limits(Precision precision) {
  constexpr double kWeights = 0.1;
  switch (precision) {
    case Precision::fp32:
      return {1e-4, 1e-5, 1e-3, kWeights};
    case Precision::tf32:
      return {1e-3, 1e-4, 1e-2, kWeights};
    case Precision::fp16:
    case Precision::bf16:
      return {1e-2, 1e-3, 1e-2, kWeights};
  }
  return {};
}

// A package fuses operations and so rounds in other places than eager. With the raised biases of
// compare_with_eager(), a missing ReLU changes a gradient by less (about 0.4 of its norm instead of 1), so
// the limit of gradients starts lower; see widen(). In fp32, the packages of the bundled networks differ from
// eager by up to 1.3 % on the CPU; on a GPU, a package may have fast convolutions; see cpu_limits(). Weights
// are not compared: the update is eager's own, and Adam's first change is the sign of a gradient.
Limits package_limits(Precision precision, const c10::Device& device) {
  constexpr double kGradients = 0.3;
  constexpr double kOnCpuInFp32 = 0.03;
  Limits limits = cpu_limits(precision);
  const bool is_fp32_on_cpu = precision == Precision::fp32 && device.is_cpu();
  limits.gradients = std::min(limits.gradients, is_fp32_on_cpu ? kOnCpuInFp32 : kGradients);
  limits.weights.reset();
  return limits;
}

void widen(Limits& limits, const std::vector<schema::AgreementCheck>& checks) {
  constexpr double kMost = 0.9;
  for (const schema::AgreementCheck& check : checks) {
    const double allowed = std::min(2 * check.difference.value_or(0), kMost);
    using schema::Compared;
    if (check.quantity == Compared::output) limits.output = std::max(limits.output, allowed);
    if (check.quantity == Compared::loss) limits.loss = std::max(limits.loss, allowed);
    if (check.quantity == Compared::gradients) limits.gradients = std::max(limits.gradients, allowed);
  }
}

Limits without_update(Limits limits, const std::optional<TrainSettings>& training) {
  if (training && training->optimizer.name == "none") limits.weights.reset();
  return limits;
}

}  // namespace mpsbench::step
