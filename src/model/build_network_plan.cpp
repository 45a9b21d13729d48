#include "model/build_network_plan.hpp"

#include "model/expander.hpp"
#include "model/graph.hpp"
#include "model/parameters.hpp"
#include "model/sizes.hpp"
#include "model/training.hpp"

#include <cstddef>
#include <utility>

namespace mpsbench::model {

namespace {

constexpr std::int64_t kFloatBytes = 4;

void check_overrides(const Definition& definition, std::optional<std::int64_t> classes, std::optional<double> dropout,
                     std::optional<std::int64_t> tokens) {
  if (classes && !definition.classes) {
    throw base::usage_error("--classes: the model '" + definition.name + "' has no parameter 'classes'");
  }
  if (classes && (*classes < 1 || *classes > kMaxSize)) {
    throw base::usage_error("--classes: expected a whole number from 1 to " + std::to_string(kMaxSize));
  }
  if (dropout && !definition.dropout) {
    throw base::usage_error("--dropout: the model '" + definition.name + "' has no parameter 'dropout'");
  }
  // The negated form also refuses NaN.
  if (dropout && !(*dropout >= 0 && *dropout <= 1)) throw base::usage_error("--dropout: expected a number from 0 to 1");
  if (tokens && !definition.tokens) {
    throw base::usage_error("--max-length: the model '" + definition.name + "' has no parameter 'tokens'");
  }
  if (tokens && (*tokens < 1 || *tokens > kMaxSize)) {
    throw base::usage_error("--max-length: expected a whole number from 1 to " + std::to_string(kMaxSize));
  }
}

Environment model_environment(base::Reader& document, std::optional<std::int64_t> classes,
                              std::optional<double> dropout, std::optional<std::int64_t> tokens) {
  Environment environment("the model");
  if (!document.has("parameters")) return environment;
  base::Reader parameters = document.at("parameters");
  for (const std::string& key : parameters.keys()) environment.set(key, parameters.at(key).value());
  if (classes) environment.set("classes", *classes);
  if (dropout) environment.set("dropout", *dropout);
  if (tokens) environment.set("tokens", *tokens);
  return environment;
}

// SHAPE must have passed the planner, so its count is below the limit.
std::int64_t element_count(const schema::Shape& shape) {
  return elements(shape).value_or(kMaxElements);
}

// Adds COUNT to TOTAL. Throws Error(usage) if the sum is above LIMIT.
void add(std::int64_t& total, std::int64_t count, std::int64_t limit, const base::Reader& document, const char* what) {
  const auto result = sum(total, count, limit);
  if (!result)
    throw document.error("all layers together need more " + std::string(what) + " than any machine can handle");
  total = *result;
}

void count(schema::NetworkPlan& plan, const Graph& graph, const base::Reader& document) {
  for (const schema::NetworkInput& input : plan.inputs) {
    plan.input_bytes += element_count(input.shape) * row_of(input.dtype).bytes;
  }
  for (const Layer& layer : graph.layers) {
    for (const schema::NetworkTensor& tensor : layer.node.tensors) {
      if (tensor.trainable && !tensor.is_shared)
        add(plan.parameters, element_count(tensor.shape), kMaxElements, document, "parameters");
    }
    add(plan.forward_macs, layer.node.forward_macs, kMaxMacs, document, "multiplications");
    add(plan.backward_macs, layer.node.backward_macs, kMaxMacs, document, "multiplications");
  }
  for (const std::int64_t kept : kept_elements(graph))
    add(plan.activation_bytes, kept * kFloatBytes, kMaxMacs, document, "activations");
  plan.trainable_parameters = plan.parameters;
  plan.parameter_bytes = plan.parameters * kFloatBytes;
}

void require_logits(const Graph& graph, const base::Reader& document, std::int64_t batch_size) {
  const Value& logits = graph.values[static_cast<std::size_t>(graph.output)];
  const bool floats = logits.dtype == DType::float32;
  if (floats && logits.requires_grad && !logits.shape.empty() && logits.shape.front() == batch_size) return;
  throw document.error("the network's output, " + to_string(logits.dtype) + " " + schema::to_string(logits.shape) +
                       ", must be float32, have the batch as its first dimension and depend on a layer with weights");
}

// Shapes may be valid for the definition's own number of tokens but not for another one: BERT, for example,
// has only 512 positions.
Graph expand_with_tokens(const Definition& definition, const base::Reader& document, const Environment& environment,
                         std::int64_t batch_size, schema::Mode mode, std::optional<std::int64_t> tokens) {
  try {
    return expand(document, environment, batch_size, mode);
  } catch (const base::Error& error) {
    if (!tokens || tokens == definition.tokens) throw;
    throw base::usage_error("--max-length: the model '" + definition.name + "' cannot take " + std::to_string(*tokens) +
                            " tokens: " + error.what() + "; use another --max-length");
  }
}

// Whether SLOT is an input of the network that is filled with ones.
bool is_all_ones(const schema::NetworkPlan& plan, int slot) {
  const auto index = static_cast<std::size_t>(slot);
  return index < plan.inputs.size() && plan.inputs[index].fill == "ones";
}

}  // namespace

schema::NetworkPlan build_network_plan(const Definition& definition, std::int64_t batch_size,
                                       std::optional<std::int64_t> classes, std::optional<double> dropout,
                                       const std::string& loss, schema::Mode mode, std::optional<std::int64_t> tokens) {
  if (batch_size < 1) throw base::usage_error("the batch size must be at least 1");
  check_overrides(definition, classes, dropout, tokens);
  base::Reader document(definition.document, definition.file);
  const Environment environment = model_environment(document, classes, dropout, tokens);
  Graph graph = expand_with_tokens(definition, document, environment, batch_size, mode, tokens);
  require_no_dead_ends(graph);
  require_safe_in_place(graph, mode);
  require_logits(graph, document.at("layers"), batch_size);
  set_releases(graph);

  schema::NetworkPlan plan;
  plan.model = definition.name;
  plan.inputs = graph.inputs;
  plan.slots = static_cast<int>(graph.values.size());
  plan.output = graph.output;
  count(plan, graph, document.at("layers"));
  const std::string problem = set_loss(plan, loss, graph.values[static_cast<std::size_t>(graph.output)].shape);
  if (!problem.empty()) throw document.at("loss").error(problem);
  for (Layer& layer : graph.layers) plan.nodes.push_back(std::move(layer.node));
  return plan;
}

schema::NetworkPlan case_network_plan(const schema::RunInfo& run, const std::string& definition_sha256,
                                      const schema::CaseSpec& spec) {
  const auto found = run.definitions.find(definition_sha256);
  if (found == run.definitions.end()) {
    throw base::usage_error("$.run.definitions lacks " + base::excerpt(definition_sha256) +
                            ", the definition of the model " + spec.model);
  }
  schema::NetworkPlan plan = build_network_plan(read_definition(found->second, spec.model), spec.batch_size,
                                                spec.classes, spec.dropout, spec.loss, spec.mode, spec.max_length);
  if (spec.freeze_backbone) freeze_backbone(plan);
  for (schema::NetworkNode& node : plan.nodes) {
    if (node.type == "padding_mask" && (spec.pad || !is_all_ones(plan, node.inputs.at(0))))
      node.options[schema::kMayHavePadding] = true;
  }
  return plan;
}

}  // namespace mpsbench::model
