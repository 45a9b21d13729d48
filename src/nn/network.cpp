#include "nn/network.hpp"

#include "base/error.hpp"
#include "nn/model_files.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace mpsbench::nn {

namespace {

// Returns the layers that run. Without training, those that lead to auxiliary outputs alone do not.
std::vector<const schema::NetworkNode*> nodes_of(const schema::NetworkPlan& plan, bool training) {
  std::vector<bool> is_read(static_cast<std::size_t>(plan.slots), training);
  is_read[static_cast<std::size_t>(plan.output)] = true;
  std::vector<const schema::NetworkNode*> nodes;
  for (auto node = plan.nodes.rbegin(); node != plan.nodes.rend(); ++node) {
    if (!is_read[static_cast<std::size_t>(node->output)]) continue;
    for (const int slot : node->inputs) is_read[static_cast<std::size_t>(slot)] = true;
    nodes.push_back(&*node);
  }
  std::ranges::reverse(nodes);
  return nodes;
}

}  // namespace

Network::Network(const schema::NetworkPlan& plan, Parameters parameters, bool training)
    : Network(plan, std::move(parameters), training, /*drops_out=*/training, nullptr) {}

Network::Network(const schema::NetworkPlan& plan, Parameters parameters, Cache& cache)
    : Network(plan, std::move(parameters), /*training=*/false, /*drops_out=*/false, &cache) {}

Network::Network(const schema::NetworkPlan& plan, Parameters parameters, bool training, bool drops_out, Cache* cache)
    : Model(std::move(parameters), training),
      plan_(&plan),
      slots_(static_cast<std::size_t>(plan.slots)),
      output_(plan.output) {
  std::map<std::string, at::Tensor> by_name;
  for (const NamedTensor& one : this->parameters().all()) by_name.emplace(one.name, one.tensor);
  for (const schema::NetworkNode* node : nodes_of(plan, training)) {
    std::vector<at::Tensor> tensors;
    for (const schema::NetworkTensor& planned : node->tensors) tensors.push_back(by_name.at(planned.name));
    for (const schema::NetworkTensor& planned : node->tensors) {
      if (const auto scales = by_name.find(scales_of(planned.name)); scales != by_name.end())
        tensors.push_back(scales->second);
    }
    const Node made(*node, std::move(tensors), training, drops_out, cache);
    layers_.push_back({make_forward(made), node->inputs, node->release, node->output});
  }
}

at::Tensor Network::forward(const std::vector<at::Tensor>& inputs) {
  std::copy(inputs.begin(), inputs.end(), slots_.begin());
  for (const RunnableLayer& layer : layers_) {
    at::Tensor output = layer.forward(Inputs(slots_, layer.inputs));
    for (const int slot : layer.release) slots_[static_cast<std::size_t>(slot)].reset();
    slots_[static_cast<std::size_t>(layer.output)] = std::move(output);
  }
  return std::exchange(slots_[static_cast<std::size_t>(output_)], at::Tensor());
}

std::vector<Auxiliary> Network::take_auxiliary() {
  std::vector<Auxiliary> outputs;
  if (!training()) return outputs;
  for (const schema::AuxiliaryOutput& one : plan_->auxiliary)
    outputs.push_back({std::exchange(slots_[static_cast<std::size_t>(one.slot)], at::Tensor()), one.factor});
  return outputs;
}

std::unique_ptr<Model> Network::evaluating() const {
  return std::make_unique<Network>(*plan_, parameters(), /*training=*/false);
}

std::unique_ptr<Model> Network::copy_without_dropout(const c10::Device& device, bool training) const {
  return std::unique_ptr<Model>(new Network(*plan_, parameters().copy(device), training, /*drops_out=*/false, nullptr));
}

Parameters make_parameters(const schema::LaunchRequest& request, const c10::Device& device) {
  const schema::NetworkPlan& plan = request.network_plan;
  return request.weights ? Parameters::load(plan, *request.weights, request.spec.seed, device)
                         : Parameters::draw(plan, request.spec.seed, device);
}

std::unique_ptr<Model> make_model(const schema::LaunchRequest& request, const c10::Device& device) {
  const schema::NetworkPlan& plan = request.network_plan;
  const bool training = row_of(request.spec.mode).trains;
  if (schema::runs_package_file(plan)) {
    if (!request.package || training)
      throw base::usage_error("an aotinductor layer works only with --model FILE.pt2 and --mode infer");
    return std::make_unique<PackageModel>(*request.package, device);
  }
  if (schema::runs_model_file(plan)) {
    if (!request.weights) throw base::usage_error("a torchscript layer works only with --model FILE.pt");
    return std::make_unique<ScriptModel>(*request.weights, device, training);
  }
  return std::make_unique<Network>(plan, make_parameters(request, device), training);
}

}  // namespace mpsbench::nn
