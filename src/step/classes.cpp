#include "step/classes.hpp"

#include "base/error.hpp"

#include <c10/core/InferenceMode.h>

#include <string>

namespace mpsbench::step {

void require_classes(const schema::NetworkPlan& plan, const nn::Model& model, const data::Batch& batch) {
  if (!schema::runs_model_file(plan) || plan.target_dtype != "int64") return;
  const c10::InferenceMode inference;
  const at::Tensor logits = model.evaluating()->forward(data::first_rows(batch, 1).inputs);
  const std::int64_t outputs = logits.dim() < 2 ? 1 : logits.size(1);
  if (outputs == plan.target_high) return;
  throw base::usage_error("the network has " + std::to_string(outputs) + " outputs per row, not " +
                          std::to_string(plan.target_high) + "; use --classes " + std::to_string(outputs));
}

}  // namespace mpsbench::step
