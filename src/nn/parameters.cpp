#include "nn/parameters.hpp"

#include "base/error.hpp"
#include "nn/weights.hpp"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include <utility>

namespace mpsbench::nn {
namespace {

at::Tensor empty(const schema::NetworkTensor& plan) {
  return at::empty(plan.shape, at::dtype(plan.dtype == "int64" ? at::kLong : at::kFloat));
}

at::Tensor draw_tensor(const schema::NetworkTensor& plan, at::Generator& generator) {
  at::Tensor tensor = empty(plan);
  if (plan.init == "zeros") {
    tensor.zero_();
  } else if (plan.init == "ones") {
    tensor.fill_(1);
  } else if (plan.init == "normal") {
    tensor.normal_(0, plan.scale, generator);
  } else if (plan.init == "uniform") {
    tensor.uniform_(-plan.scale, plan.scale, generator);
  } else {
    throw base::usage_error("'" + plan.name + "': unknown initialisation '" + plan.init + "'");
  }
  if (plan.zero_row) tensor.select(0, *plan.zero_row).zero_();
  return tensor;
}

}  // namespace

Parameters Parameters::draw(const schema::NetworkPlan& plan, std::int64_t seed, const c10::Device& device) {
  at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(static_cast<std::uint64_t>(seed));
  Parameters parameters;
  for (const schema::NetworkNode& node : plan.nodes) {
    for (const schema::NetworkTensor& tensor : node.tensors) {
      parameters.tensors_.push_back(
          {tensor.name, draw_tensor(tensor, generator).to(device), tensor.trainable});
    }
  }
  return parameters;
}

Parameters Parameters::load(const schema::NetworkPlan& plan, const std::string& file, std::int64_t seed,
                            const c10::Device& device) {
  at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(static_cast<std::uint64_t>(seed));
  Parameters parameters;
  const WeightsFile weights(file, plan);
  for (const schema::NetworkNode& node : plan.nodes) {
    for (const schema::NetworkTensor& planned : node.tensors) {
      const at::Tensor tensor = weights.has(planned.name) ? empty(planned).copy_(weights.tensor(planned.name))
                                                          : draw_tensor(planned, generator);
      parameters.tensors_.push_back({planned.name, tensor.to(device), planned.trainable});
    }
  }
  return parameters;
}

std::vector<at::Tensor> Parameters::trainable() const {
  std::vector<at::Tensor> tensors;
  for (const NamedTensor& named : tensors_) {
    if (named.trainable) tensors.push_back(named.tensor);
  }
  return tensors;
}

Parameters Parameters::copy(const c10::Device& device) const {
  Parameters copies;
  for (const auto& [name, tensor, trainable] : tensors_) {
    copies.tensors_.push_back({name,
                               tensor.detach().to(device, tensor.scalar_type(), /*non_blocking=*/false,
                                                  /*copy=*/true),
                               trainable});
  }
  return copies;
}

void Parameters::require_gradients() {
  for (NamedTensor& named : tensors_) {
    if (named.trainable) named.tensor.set_requires_grad(true);
  }
}

void Parameters::to_channels_last() {
  for (NamedTensor& named : tensors_) {
    // In place, because the network's layers hold the same tensor.
    if (named.tensor.dim() == 4)
      named.tensor.set_data(named.tensor.contiguous(at::MemoryFormat::ChannelsLast));
  }
}

void Parameters::to_fp64() {
  for (NamedTensor& named : tensors_) {
    // In place, as above. This keeps the order in memory.
    if (named.tensor.is_floating_point()) named.tensor.set_data(named.tensor.to(at::kDouble));
  }
}

}  // namespace mpsbench::nn
