#include "step/placement.hpp"

#include "base/error.hpp"

#include <ATen/core/Tensor.h>
#include <c10/core/InferenceMode.h>

#include <cstddef>
#include <string>

namespace mpsbench::step {

namespace {

void require(const at::Tensor& tensor, const std::string& name, const c10::Device& device) {
  if (!tensor.defined() || tensor.device() == device) return;
  throw base::usage_error(name + " is on " + tensor.device().str() + ", but the step runs on " + device.str() +
                          "; move the tensor there first");
}

}  // namespace

void require_classes(const schema::NetworkPlan& plan, const nn::Model& model, const data::Batch& batch,
                     std::int64_t least_classes) {
  if (!schema::runs_model_file(plan)) return;
  const c10::InferenceMode inference;
  const at::Tensor logits = model.evaluating()->forward(data::first_rows(batch, 1).inputs);
  const std::int64_t classes = plan.nodes.back().shape.at(1);
  if (logits.dim() != 2 || logits.size(0) != 1)
    throw base::usage_error("for one row, the network returns " + schema::to_string(logits.sizes().vec()) +
                            ", but training needs [1, outputs]; change its last layers (by pooling, flatten "
                            "or a linear layer), or use --mode infer");
  const std::int64_t outputs = logits.size(1);
  if (outputs < least_classes)
    throw base::usage_error("the network has " + std::to_string(outputs) + " outputs per row, but the data set has " +
                            std::to_string(least_classes) +
                            " classes; give its last layer as many outputs, or use --dataset synthetic");
  if (outputs == classes) return;
  throw base::usage_error("the network has " + std::to_string(outputs) + " outputs per row, not " +
                          std::to_string(classes) + "; use --classes " + std::to_string(outputs));
}

void require_on_device(const schema::NetworkPlan& plan, const data::Batch& batch, const nn::Parameters& parameters,
                       const c10::Device& device) {
  for (std::size_t i = 0; i < batch.inputs.size(); ++i)
    require(batch.inputs[i], "input '" + plan.inputs.at(i).name + "'", device);
  require(batch.target, "the target", device);
  for (const nn::NamedTensor& one : parameters.all()) require(one.tensor, "'" + one.name + "'", device);
}

}  // namespace mpsbench::step
