#include "step/placement.hpp"

#include "base/error.hpp"

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <string>

namespace mpsbench::step {
namespace {

void require(const at::Tensor& tensor, const std::string& name, const c10::Device& device) {
  if (!tensor.defined() || tensor.device() == device) return;
  throw base::usage_error(name + " is on " + tensor.device().str() + ", but the step runs on " +
                          device.str() + "; move the tensor there first");
}

}  // namespace

void require_on_device(const schema::NetworkPlan& plan, const data::Batch& batch,
                       const nn::Parameters& parameters, const c10::Device& device) {
  for (std::size_t i = 0; i < batch.inputs.size(); ++i)
    require(batch.inputs[i], "input '" + plan.inputs.at(i).name + "'", device);
  require(batch.target, "the target", device);
  for (const nn::NamedTensor& one : parameters.all()) require(one.tensor, "'" + one.name + "'", device);
}

}  // namespace mpsbench::step
