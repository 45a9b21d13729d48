// Compares what two steps computed.
#pragma once

#include "nn/parameters.hpp"
#include "schema/launch.hpp"
#include "step/precision.hpp"
#include "step/train_step.hpp"

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::step {

// What a step computed. All tensors are on the CPU in fp32.
struct StepResults {
  at::Tensor output;
  std::optional<double> loss;              // only of training, like all that follows
  std::vector<nn::NamedTensor> gradients;  // of the trainable parameters
  std::vector<nn::NamedTensor> weights;    // the same parameters after the update
  std::int64_t runs = 0;                   // how often the step ran
};

// The largest relative differences that are no error.
struct Limits {
  double output = 0;
  double loss = 0;
  double gradients = 0;
  std::optional<double> weights;  // null: they are not compared
};

struct StepComparison {
  std::vector<schema::AgreementCheck> checks;
  std::string wrong;  // what the first check above its limit found; empty: all agree
};

// Compares FOUND with EXPECTED, which is REFERENCE's. Both started from the weights START. The differences
// are relative to
// - output: the largest value of the output;
// - loss: the loss or, if that is larger, the largest value of the output, because a mean of outputs may be
//   near zero;
// - gradients: the norm of a parameter's gradient. The parameter with the largest difference counts. A norm
//   below a thousandth of the largest one counts as that, because some gradients are zero but for rounding;
// - weights: the norm of a parameter's change. What rounding to fp32 explains is no difference. Parameters
//   with such a small gradient are left out: Adam's first change is a gradient's sign, even that of a
//   rounding error.
[[nodiscard]] StepComparison compare(schema::Reference reference, const StepResults& found, const StepResults& expected,
                                     const nn::Parameters& start, const Limits& limits);

// Removes from all three the gradients that are nothing but rounding errors in EXPECTED. EXACT, the same step
// in more exact arithmetic, shows them: their norm there is less than a tenth of EXPECTED's, and less than a
// thousandth of the largest norm. For example, the gradient of a bias before batch normalisation is zero in
// exact arithmetic, because the normalisation subtracts the mean. A gradient stays if FOUND's norm is more
// than twice EXPECTED's, or is not finite. The weights stay, so compare() must not compare them afterwards.
void remove_rounding(StepResults& found, StepResults& expected, StepResults& exact);

// How far a correct step may be from the one that it is compared with.

// Of a step at PRECISION from the CPU's in fp32.
[[nodiscard]] Limits cpu_limits(Precision precision);
// Of an engine that runs eager's own kernels from eager.
[[nodiscard]] Limits engine_limits(Precision precision);
// Of a package from eager, on DEVICE.
[[nodiscard]] Limits package_limits(Precision precision, const c10::Device& device);

// Allows twice the differences that CHECKS found between eager and eager in more exact arithmetic, but never
// so much that a gradient may be missing.
void widen(Limits& limits, const std::vector<schema::AgreementCheck>& checks);

[[nodiscard]] Limits without_update(Limits limits, const std::optional<TrainSettings>& training);

}  // namespace mpsbench::step
