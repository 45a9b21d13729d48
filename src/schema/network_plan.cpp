#include "schema/network_plan.hpp"

#include <algorithm>

namespace mpsbench::schema {

namespace {

bool has_layer(const NetworkPlan& plan, const std::string& type) {
  return std::ranges::any_of(plan.nodes, [&](const NetworkNode& node) { return node.type == type; });
}

}  // namespace

std::string to_string(const Shape& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return text + "]";
}

bool runs_model_file(const NetworkPlan& plan) {
  return has_layer(plan, kScriptLayer) || has_layer(plan, kPackageLayer);
}

bool runs_package_file(const NetworkPlan& plan) {
  return has_layer(plan, kPackageLayer);
}

std::int64_t flops_per_step(const NetworkPlan& plan, Mode mode) {
  return 2 * (plan.forward_macs + (row_of(mode).trains ? plan.backward_macs : 0));
}

}  // namespace mpsbench::schema
