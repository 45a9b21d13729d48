#include "worker/comparisons.hpp"

#include "base/error.hpp"
#include "base/process_memory.hpp"
#include "nn/network.hpp"
#include "step/engine.hpp"
#include "step/first_step_check.hpp"
#include "worker/steps.hpp"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace mpsbench::worker {

namespace {

nn::Parameters in_fp32(nn::Parameters parameters) {
  parameters.to_type(at::kFloat);
  return parameters;
}

step::StepComparison engine_comparison(const PreparedLaunch& prepared) {
  const schema::CaseSpec& spec = prepared.request->spec;
  if (row_of(spec.mode).generates)
    return step::compare_generations([&](schema::Engine engine) { return make_generation(prepared, engine); },
                                     prepared.model->parameters(), spec);
  step::EngineSides sides{};
  sides.eager = [&](nn::Model& model) {
    return make_eager_step(spec, prepared.device, model, prepared.batch, nullptr);
  };
  const nn::Package* package =
      prepared.check_package != nullptr ? prepared.check_package.get() : prepared.package.get();
  sides.engine = [&](nn::Model& model) {
    return step::make_engine_step(spec.engine, make_plain_step(prepared, package, model, nullptr), prepared.device);
  };
  schema::CaseSpec exact = spec;
  exact.precision = step::Precision::fp32;
  data::Batch batch = prepared.batch;
  if (package != nullptr) {
    sides.exact = [&](nn::Model& model) {
      if (spec.precision == step::Precision::fp32) batch = data::in_type(batch, at::kDouble);
      return make_eager_step(exact, prepared.device, model, batch, nullptr);
    };
  }
  return step::compare_with_eager(*prepared.model, prepared.device.torch(), spec.precision, sides,
                                  train_settings(spec, prepared.device));
}

// Keeps the comparison in LAUNCH. Throws UntrustedLaunch if something is wrong. The copies may not fit where the
// case itself does, and an operation may refuse how the comparison uses it. Then the launch measures without
// COMPARE and says why.
void compare_if_possible(const std::function<step::StepComparison()>& compare, schema::Launch& launch) {
  step::StepComparison comparison;
  try {
    comparison = compare();
  } catch (const std::exception& error) {
    std::string& note = launch.sensor_notes[schema::kAgreementNote];
    const std::string why = base::first_line(error.what());
    if (note.find(why) == std::string::npos) note += (note.empty() ? "" : "; ") + why;
  }
  launch.agreement.insert(launch.agreement.end(), comparison.checks.begin(), comparison.checks.end());
  if (!comparison.wrong.empty()) throw UntrustedLaunch{{schema::kWrongOutput, comparison.wrong, ""}};
}

// The network on the CPU in fp32, with which a case is compared that generates or is quantized; null for others. It
// shares the weights where it can.
std::unique_ptr<nn::Model> reference_of(const PreparedLaunch& prepared) {
  const schema::LaunchRequest& request = *prepared.request;
  if (!prepared.unquantized && !row_of(request.spec.mode).generates) return nullptr;
  const auto weights = [&] {
    if (prepared.unquantized) return prepared.unquantized->dequantized(request.network_plan);
    if (prepared.device.torch().is_cpu() && !row_of(request.spec.precision).is_stored)
      return prepared.model->parameters();
    return in_fp32(prepared.model->parameters().copy(at::kCPU));
  };
  return std::make_unique<nn::Network>(request.network_plan, weights(), /*training=*/false);
}

// By how much quantizing the weights, which REFERENCE has, changes the output for a row, relative to its largest value.
// Null if all values are 0.
std::optional<double> quantization_error(const PreparedLaunch& prepared, nn::Model& reference) {
  constexpr std::int64_t kTokens = 64;
  const schema::LaunchRequest& request = *prepared.request;
  nn::Network plain(request.network_plan, in_fp32(prepared.unquantized.value().copy(at::kCPU)), /*training=*/false);
  data::Batch row = data::in_type(data::on_cpu(data::first_rows(prepared.batch, 1)), at::kFloat);
  if (row_of(request.spec.mode).generates) {
    at::Tensor& ids = row.inputs.front();
    ids = ids.narrow(1, 0, std::min(kTokens, ids.size(1)));
  }
  const c10::InferenceMode inference;
  const at::Tensor expected = plain.forward(row.inputs);
  const at::Tensor difference = reference.forward(row.inputs) - expected;
  const auto error = difference.abs().max().item<double>() / expected.abs().max().item<double>();
  return std::isfinite(error) ? std::optional(error) : std::nullopt;
}

}  // namespace

void compare_first(PreparedLaunch& prepared, schema::Launch& launch) {
  const schema::LaunchRequest& request = *prepared.request;
  if (!request.check_output && !request.check_engine) return;
  if (request.check_output) {
    std::unique_ptr<nn::Model> reference;
    const auto with_cpu = [&] {
      reference = reference_of(prepared);
      if (row_of(request.spec.mode).generates)
        return step::compare_with_full_pass(request.network_plan, prepared.model->parameters(),
                                            prepared.batch.inputs.front(), request.spec, prepared.device, *reference);
      return step::compare_with_cpu(*prepared.model, prepared.batch, request.spec.precision,
                                    train_settings(request.spec, prepared.device), reference.get());
    };
    compare_if_possible(with_cpu, launch);
    const auto with_unquantized = [&] {
      launch.quantization_error = quantization_error(prepared, *reference);
      return step::StepComparison();
    };
    if (prepared.unquantized && reference != nullptr) compare_if_possible(with_unquantized, launch);
    prepared.unquantized.reset();
  }
  if (request.check_engine) compare_if_possible([&] { return engine_comparison(prepared); }, launch);
  prepared.device.reset_peak_memory();  // the copies do not count
  base::reset_peak_resident();
}

}  // namespace mpsbench::worker
