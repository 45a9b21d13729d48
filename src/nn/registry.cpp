#include "nn/registry.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <array>

namespace mpsbench::nn {

namespace {

std::array<std::span<const LayerFactory>, 6> families() {
  return {activation_layers(), arithmetic_layers(), attention_layers(), conv_layers(), norm_layers(), shape_layers()};
}

}  // namespace

Node::Node(const schema::NetworkNode& plan, std::vector<at::Tensor> tensors, bool training, bool drops_out)
    : plan_(&plan), tensors_(std::move(tensors)), training_(training), drops_out_(drops_out) {}

at::Tensor Node::tensor(const std::string& role) const {
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    if (plan_->tensors[i].role == role) return tensors_[i];
  }
  return {};
}

std::optional<at::Tensor> Node::optional_tensor(const std::string& role) const {
  at::Tensor found = tensor(role);
  return found.defined() ? std::optional(std::move(found)) : std::nullopt;
}

const nlohmann::json& Node::option(const std::string& name) const {
  const auto found = plan_->options.find(name);
  if (found == plan_->options.end()) {
    throw base::usage_error("layer '" + plan_->name + "': the plan lacks the option '" + name + "'");
  }
  return *found;
}

std::int64_t Node::integer(const std::string& name) const {
  return option(name).get<std::int64_t>();
}
double Node::number(const std::string& name) const {
  return option(name).get<double>();
}
bool Node::flag(const std::string& name) const {
  return option(name).get<bool>();
}
std::string Node::text(const std::string& name) const {
  return option(name).get<std::string>();
}
std::vector<std::int64_t> Node::integers(const std::string& name) const {
  return option(name).get<std::vector<std::int64_t>>();
}

Forward make_forward(const Node& node) {
  for (const auto& family : families()) {
    for (const LayerFactory& type : family) {
      if (node.plan().type == type.name) return type.make(node);
    }
  }
  throw base::usage_error("layer '" + node.plan().name + "': unknown type '" + node.plan().type + "'");
}

std::vector<std::string> layer_types() {
  std::vector<std::string> names;
  for (const auto& family : families()) {
    for (const LayerFactory& type : family) names.emplace_back(type.name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace mpsbench::nn
