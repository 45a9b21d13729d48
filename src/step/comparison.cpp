#include "step/comparison.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>

namespace mpsbench::step {

namespace {

constexpr double kSmallGradient = 0.001;  // of the largest norm
constexpr double kRounding = 0x1p-22;     // two steps of fp32's last digit

// The largest difference of a quantity, and the parameter that has it.
struct Difference {
  double value = 0;
  std::string parameter;
  const char* relative_to = "";
  bool is_from_zero = false;  // the reference is zero, so no ratio tells how large the difference is
};

Difference relative(double difference, double size, const char* relative_to, const std::string& parameter = "") {
  return {difference == 0 ? 0 : difference / size, parameter, relative_to, size == 0 && std::isfinite(difference)};
}

double largest_value(const at::Tensor& tensor) {
  return tensor.abs().max().item<double>();
}

double norm_of(const at::Tensor& tensor) {
  return tensor.norm().item<double>();
}

// Keeps OTHER if it is the larger one, or not a number.
void keep_larger(Difference& worst, const Difference& other) {
  if (!std::isnan(worst.value) && !(other.value <= worst.value)) worst = other;
}

std::vector<double> norms(const std::vector<nn::NamedTensor>& tensors) {
  std::vector<double> all;
  for (const nn::NamedTensor& one : tensors) all.push_back(norm_of(one.tensor));
  return all;
}

// The norm below which one of SIZES counts as that, because it may be zero but for rounding.
double small_gradient(const std::vector<double>& sizes) {
  return sizes.empty() ? 0 : kSmallGradient * *std::max_element(sizes.begin(), sizes.end());
}

Difference gradient_difference(const StepResults& found, const StepResults& expected, const std::vector<double>& sizes,
                               double small) {
  Difference worst;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const at::Tensor difference = found.gradients[i].tensor - expected.gradients[i].tensor;
    const char* const words = sizes[i] < small ? "a thousandth of the largest norm" : "its norm";
    keep_larger(worst, relative(norm_of(difference), std::max(sizes[i], small), words, expected.gradients[i].name));
  }
  return worst;
}

Difference weight_difference(const StepResults& found, const StepResults& expected,
                             const std::vector<at::Tensor>& start, const std::vector<double>& sizes, double small) {
  Difference worst;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] < small) continue;
    const at::Tensor& weights = expected.weights[i].tensor;
    const at::Tensor difference = (found.weights[i].tensor - weights).abs() - kRounding * weights.abs();
    const at::Tensor change = weights - start[i].detach().cpu();
    keep_larger(worst,
                relative(norm_of(difference.clamp_min(0)), norm_of(change), "its norm", expected.weights[i].name));
  }
  return worst;
}

// In the order of schema::Compared.
constexpr std::array kWords{"output", "loss", "gradient of ", "update of "};
static_assert(kWords.size() == schema::ClosedSet<schema::Compared>::kRows.size());

std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2g", value);
  return text.data();
}

std::string message(const schema::AgreementCheck& check, const Difference& worst) {
  const char* reference = check.reference == schema::Reference::cpu ? "the CPU's in fp32" : "eager's on this device";
  const std::string subject =
      std::string("the ") + kWords.at(static_cast<std::size_t>(check.quantity)) + worst.parameter;
  if (worst.is_from_zero && !check.difference) return subject + " is not zero, but " + reference + " is";
  if (!check.difference) return subject + " is not finite, or " + reference + " is not";
  return subject + " differs from " + reference + " by " + number(*check.difference) + " of " + worst.relative_to +
         "; the limit is " + number(check.limit);
}

}  // namespace

StepComparison compare(schema::Reference reference, const StepResults& found, const StepResults& expected,
                       const nn::Parameters& start, const Limits& limits) {
  using schema::Compared;
  StepComparison result;
  const auto add = [&](Compared quantity, const Difference& difference, double limit) {
    const auto finite = std::isfinite(difference.value) ? std::optional(difference.value) : std::nullopt;
    const schema::AgreementCheck& check =
        result.checks.emplace_back(schema::AgreementCheck{reference, quantity, finite, limit});
    if (result.wrong.empty() && !agrees(check)) result.wrong = message(check, difference);
  };
  const double largest = largest_value(expected.output);
  add(Compared::output, relative(largest_value(found.output - expected.output), largest, "its largest value"),
      limits.output);
  if (!expected.loss) return result;
  const double loss = expected.loss.value();
  add(Compared::loss, relative(std::abs(found.loss.value() - loss), std::max(std::abs(loss), largest), "its size"),
      limits.loss);
  const std::vector<double> sizes = norms(expected.gradients);
  const double small = small_gradient(sizes);
  add(Compared::gradients, gradient_difference(found, expected, sizes, small), limits.gradients);
  if (!limits.weights) return result;
  add(Compared::weights, weight_difference(found, expected, start.trainable(), sizes, small), *limits.weights);
  return result;
}

void remove_rounding(StepResults& found, StepResults& expected, StepResults& exact) {
  const std::vector<double> found_sizes = norms(found.gradients);
  const std::vector<double> sizes = norms(expected.gradients);
  const std::vector<double> exact_sizes = norms(exact.gradients);
  const double small = small_gradient(exact_sizes);
  if (!std::isfinite(small)) return;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    // Comparisons with what is not a number are false, so such a gradient stays.
    const bool is_rounding =
        std::isfinite(sizes[i]) && exact_sizes[i] < std::min(0.1 * sizes[i], small) && found_sizes[i] <= 2 * sizes[i];
    if (!is_rounding) continue;
    for (StepResults* const results : {&found, &expected, &exact})
      results->gradients.erase(results->gradients.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

// By the precision of the kernels, in the order of schema::Precision.
using LimitsTable = std::array<Limits, 4>;

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
constexpr LimitsTable kCpuLimits{{{1e-3, 1e-4, 0.1, 1e-3},    // fp32
                                  {1e-2, 1e-3, 0.4, 1e-3},    // tf32
                                  {1e-1, 1e-2, 0.7, 1e-3},    // bf16
                                  {1e-1, 1e-2, 0.4, 1e-3}}};  // fp16

// An engine starts the same kernels with the same numbers, so only the order of atomic additions differs:
// about 1e-7 of the sums, in bf16 and fp16 sometimes a rounding more. Adam's first change is the sign of a
// gradient, so where a gradient's element is nearly zero this can turn the whole change.
constexpr LimitsTable kEngineLimits{{{1e-4, 1e-5, 1e-3, 0.1},    // fp32
                                     {1e-3, 1e-4, 1e-2, 0.1},    // tf32
                                     {1e-2, 1e-3, 1e-2, 0.1},    // bf16
                                     {1e-2, 1e-3, 1e-2, 0.1}}};  // fp16

Limits cpu_limits(Precision precision) {
  return kCpuLimits.at(static_cast<std::size_t>(row_of(precision).kernels));
}

Limits engine_limits(Precision precision) {
  return kEngineLimits.at(static_cast<std::size_t>(row_of(precision).kernels));
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
  if (training && training->spec.optimizer.name == "none") limits.weights.reset();
  return limits;
}

}  // namespace mpsbench::step
