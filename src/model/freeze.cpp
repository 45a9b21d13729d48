#include "model/freeze.hpp"

#include "base/error.hpp"
#include "model/sizes.hpp"

#include <algorithm>

namespace mpsbench::model {
namespace {

bool has_parameters(const schema::NetworkNode& node) {
  return std::any_of(node.tensors.begin(), node.tensors.end(),
                     [](const schema::NetworkTensor& tensor) { return tensor.trainable; });
}

// NODE was planned, so its tensors' sizes are in range.
std::int64_t parameters(const schema::NetworkNode& node) {
  std::int64_t count = 0;
  for (const schema::NetworkTensor& tensor : node.tensors) {
    if (tensor.trainable) count += elements(tensor.shape).value();
  }
  return count;
}

}  // namespace

void freeze_backbone(schema::NetworkPlan& plan) {
  if (schema::runs_model_file(plan))
    throw base::usage_error(
        "--freeze-backbone: mpsbench does not know the layers of a model file; leave the option out");
  const auto head = std::find_if(plan.nodes.rbegin(), plan.nodes.rend(), has_parameters);
  for (schema::NetworkNode& node : plan.nodes) {
    if (&node == &*head) continue;
    for (schema::NetworkTensor& tensor : node.tensors) tensor.trainable = false;
    node.backward_macs = 0;
  }
  head->backward_macs = head->forward_macs;  // the gradient of its weights, but not of its input
  plan.backward_macs = head->backward_macs;
  plan.trainable_parameters = parameters(*head);
  plan.activation_bytes = 0;  // a lower bound: the head's input is small
}

}  // namespace mpsbench::model
