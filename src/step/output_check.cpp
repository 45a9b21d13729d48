#include "step/output_check.hpp"

#include "base/error.hpp"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace mpsbench::step {
namespace {

constexpr std::int64_t kRows = 2;

std::vector<at::Tensor> first_rows(const std::vector<at::Tensor>& inputs) {
  std::vector<at::Tensor> rows;
  for (const at::Tensor& input : inputs) rows.push_back(input.narrow(0, 0, std::min(kRows, input.size(0))));
  return rows;
}

at::Tensor forward(nn::Model& model, const std::vector<at::Tensor>& inputs, Precision precision) {
  const PrecisionScope scope(precision, inputs.at(0).device().type());
  return model.forward(inputs).cpu().to(at::kDouble);  // after the copy, because MPS has no float64
}

// Returns the largest difference that PRECISION can cause, relative to the largest output.
double output_tolerance(Precision precision) {
  switch (precision) {
    case Precision::fp32:
      return 1e-3;
    case Precision::tf32:
      return 1e-2;
    case Precision::fp16:
    case Precision::bf16:
      return 1e-1;
  }
  return 0;
}

}  // namespace

std::string check_output(const nn::Model& model, const data::Batch& batch, Precision precision) {
  const c10::InferenceMode inference;
  const std::vector<at::Tensor> inputs = first_rows(batch.inputs);
  std::vector<at::Tensor> cpu_inputs;
  for (const at::Tensor& input : inputs) cpu_inputs.push_back(input.cpu());
  const at::Tensor found = forward(*model.evaluating(), inputs, precision);
  const at::Tensor expected = forward(*model.evaluating_on_cpu(), cpu_inputs, Precision::fp32);
  const double largest = expected.abs().max().item<double>();
  const double difference = (found - expected).abs().max().item<double>();
  if (difference <= output_tolerance(precision) * largest) return "";  // false if either is NaN
  char text[160];
  std::snprintf(text, sizeof(text),
                "the output differs from the CPU's by %.2g of its largest value; the limit is %.2g",
                difference / largest, output_tolerance(precision));
  return text;
}

void require_classes(const schema::NetworkPlan& plan, const nn::Model& model, const data::Batch& batch) {
  if (!schema::runs_script(plan) || plan.target_dtype != "int64") return;
  const c10::InferenceMode inference;
  const at::Tensor logits = forward(*model.evaluating(), first_rows(batch.inputs), Precision::fp32);
  const std::int64_t outputs = logits.dim() < 2 ? 1 : logits.size(1);
  if (outputs == plan.target_high) return;
  throw base::usage_error("the network has " + std::to_string(outputs) + " outputs per row, not " +
                          std::to_string(plan.target_high) + "; use --classes " + std::to_string(outputs));
}

}  // namespace mpsbench::step
