#include "schema/network_plan.hpp"

#include "schema/closed_set.hpp"

#include <algorithm>
#include <limits>

namespace mpsbench::schema {
namespace {

using nlohmann::json;

json to_json(const NetworkInput& input) {
  return {{"name", input.name},
          {"dtype", input.dtype},
          {"shape", input.shape},
          {"fill", input.fill},
          {"high", input.high}};
}

json to_json(const NetworkTensor& tensor) {
  json value = {{"name", tensor.name},   {"role", tensor.role},           {"dtype", tensor.dtype},
                {"shape", tensor.shape}, {"trainable", tensor.trainable}, {"init", tensor.init},
                {"scale", tensor.scale}};
  if (tensor.zero_row) value["zero_row"] = *tensor.zero_row;
  return value;
}

json to_json(const NetworkNode& node) {
  json tensors = json::array();
  for (const NetworkTensor& tensor : node.tensors) tensors.push_back(to_json(tensor));
  return {{"name", node.name},
          {"type", node.type},
          {"options", node.options},
          {"inputs", node.inputs},
          {"output", node.output},
          {"release", node.release},
          {"tensors", tensors},
          {"shape", node.shape},
          {"forward_macs", node.forward_macs},
          {"backward_macs", node.backward_macs}};
}

std::string read_dtype(const base::Reader& reader) {
  static const std::vector<std::string> kKnown{"float32", "int64"};
  std::string name = reader.string();
  if (std::find(kKnown.begin(), kKnown.end(), name) == kKnown.end())
    throw reader.error(unknown_name("dtype", name, kKnown));
  return name;
}

NetworkInput read_input(base::Reader reader) {
  NetworkInput input;
  input.name = reader.at("name").string();
  input.dtype = read_dtype(reader.at("dtype"));
  input.shape = reader.at("shape").integers(0);
  input.fill = reader.at("fill").string();
  input.high = reader.at("high").integer(0);
  reader.done();
  return input;
}

NetworkTensor read_tensor(base::Reader reader) {
  NetworkTensor tensor;
  tensor.name = reader.at("name").string();
  tensor.role = reader.at("role").string();
  tensor.dtype = read_dtype(reader.at("dtype"));
  tensor.shape = reader.at("shape").integers(0);
  tensor.trainable = reader.at("trainable").boolean();
  tensor.init = reader.at("init").string();
  tensor.scale = reader.at("scale").number();
  if (const auto row = reader.find("zero_row")) tensor.zero_row = row->integer(0);
  reader.done();
  return tensor;
}

std::vector<int> read_slots(const base::Reader& reader) {
  std::vector<int> slots;
  for (const std::int64_t slot : reader.integers(0, std::numeric_limits<int>::max()))
    slots.push_back(static_cast<int>(slot));
  return slots;
}

int read_slot(const base::Reader& reader) {
  return static_cast<int>(reader.integer(0, std::numeric_limits<int>::max()));
}

NetworkNode read_node(base::Reader reader) {
  NetworkNode node;
  node.name = reader.at("name").string();
  node.type = reader.at("type").string();
  node.options = reader.at("options").value();
  node.inputs = read_slots(reader.at("inputs"));
  node.output = read_slot(reader.at("output"));
  node.release = read_slots(reader.at("release"));
  for (const base::Reader& tensor : reader.at("tensors").items()) node.tensors.push_back(read_tensor(tensor));
  node.shape = reader.at("shape").integers(0);
  node.forward_macs = reader.at("forward_macs").integer(0);
  node.backward_macs = reader.at("backward_macs").integer(0);
  reader.done();
  return node;
}

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

std::int64_t flops_per_step(const NetworkPlan& plan, bool train) {
  return 2 * (plan.forward_macs + (train ? plan.backward_macs : 0));
}

json to_json(const NetworkPlan& plan) {
  json inputs = json::array();
  for (const NetworkInput& input : plan.inputs) inputs.push_back(to_json(input));
  json nodes = json::array();
  for (const NetworkNode& node : plan.nodes) nodes.push_back(to_json(node));
  return {{"model", plan.model},
          {"inputs", std::move(inputs)},
          {"nodes", std::move(nodes)},
          {"slots", plan.slots},
          {"output", plan.output},
          {"loss", plan.loss},
          {"target_shape", plan.target_shape},
          {"target_dtype", plan.target_dtype},
          {"target_high", plan.target_high},
          {"parameters", plan.parameters},
          {"trainable_parameters", plan.trainable_parameters},
          {"forward_macs", plan.forward_macs},
          {"backward_macs", plan.backward_macs},
          {"parameter_bytes", plan.parameter_bytes},
          {"input_bytes", plan.input_bytes},
          {"activation_bytes", plan.activation_bytes}};
}

NetworkPlan read_network_plan(base::Reader reader) {
  NetworkPlan plan;
  plan.model = reader.at("model").string();
  for (const base::Reader& input : reader.at("inputs").items()) plan.inputs.push_back(read_input(input));
  for (const base::Reader& node : reader.at("nodes").items()) plan.nodes.push_back(read_node(node));
  plan.slots = read_slot(reader.at("slots"));
  plan.output = read_slot(reader.at("output"));
  plan.loss = reader.at("loss").string();
  plan.target_shape = reader.at("target_shape").integers(0);
  plan.target_dtype = read_dtype(reader.at("target_dtype"));
  plan.target_high = reader.at("target_high").integer(0);
  plan.parameters = reader.at("parameters").integer(0);
  plan.trainable_parameters = reader.at("trainable_parameters").integer(0);
  plan.forward_macs = reader.at("forward_macs").integer(0);
  plan.backward_macs = reader.at("backward_macs").integer(0);
  plan.parameter_bytes = reader.at("parameter_bytes").integer(0);
  plan.input_bytes = reader.at("input_bytes").integer(0);
  plan.activation_bytes = reader.at("activation_bytes").integer(0);
  reader.done();
  return plan;
}

}  // namespace mpsbench::schema
