#include "model/build_network_plan.hpp"

#include "base/units.hpp"
#include "model/expander.hpp"
#include "model/graph.hpp"
#include "model/parameters.hpp"
#include "model/quantization.hpp"
#include "model/sizes.hpp"
#include "model/training.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <ranges>
#include <utility>

namespace mpsbench::model {

namespace {

constexpr std::int64_t kFloatBytes = 4;

// Parameters with an option of their own, and their range.
struct OwnOption {
  const char* parameter;
  const char* option;
  double min;
  double max;
  bool is_whole;
};
constexpr OwnOption kOwnOptions[] = {{"classes", "--classes", 1, kMaxSize, true},
                                     {"dropout", "--dropout", 0, 1, false},
                                     {"tokens", "--max-length", 1, kMaxSize, true}};

const nlohmann::json& parameters_of(const Definition& definition) {
  static const nlohmann::json kNone = nlohmann::json::object();
  const auto found = definition.document.find("parameters");
  return found == definition.document.end() ? kNone : *found;
}

// VALUE of the parameter NAME, whose own value is OWN. A whole number stays one; what takes it says whether it must be.
nlohmann::json checked_value(const Definition& definition, const std::string& name, const nlohmann::json& own,
                             double value) {
  const std::string option = option_of(name);
  if (!own.is_number())
    throw base::usage_error(option + ": the parameter '" + name + "' of the model '" + definition.name +
                            "' is not a number, so it cannot be changed");
  const auto* range = std::ranges::find(kOwnOptions, name, &OwnOption::parameter);
  const bool is_whole = value == std::floor(value) && std::abs(value) <= kMaxSize;
  // The negated form also refuses NaN.
  if (range != std::end(kOwnOptions) &&
      (!(value >= range->min && value <= range->max) || (range->is_whole && !is_whole)))
    throw base::usage_error(option + ": expected a " + (range->is_whole ? "whole number" : "number") + " from " +
                            base::number_text(range->min) + " to " + base::number_text(range->max));
  return is_whole ? nlohmann::json(static_cast<std::int64_t>(value)) : nlohmann::json(value);
}

Environment model_environment(const Definition& definition, const ParameterChanges& changes) {
  Environment environment("the model");
  const nlohmann::json& parameters = parameters_of(definition);
  for (const auto& [name, value] : parameters.items()) environment.set(name, value);
  for (const auto& [name, value] : changes) {
    const auto own = parameters.find(name);
    if (own == parameters.end()) {
      std::vector<std::string> known;
      for (const auto& [one, ignored] : parameters.items()) known.push_back(one);
      const std::string option = option_of(name);
      throw base::usage_error(option + ": the model '" + definition.name + "' has no parameter '" + name + "'" +
                              (option == kSetOption ? base::did_you_mean(name, known) + "; it has " +
                                                          (known.empty() ? "none" : base::join(known))
                                                    : ""));
    }
    environment.set(name, checked_value(definition, name, *own, value));
  }
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
      if (tensor.is_shared) continue;
      const bool is_buffer = !tensor.trainable && layer.storage != Storage::parameter;
      if (tensor.trainable)
        add(plan.trainable_parameters, element_count(tensor.shape), kMaxElements, document, "parameters");
      if (!is_buffer) add(plan.parameters, element_count(tensor.shape), kMaxElements, document, "parameters");
    }
    add(plan.forward_macs, layer.node.forward_macs, kMaxMacs, document, "multiplications");
    add(plan.backward_macs, layer.node.backward_macs, kMaxMacs, document, "multiplications");
  }
  for (const std::int64_t kept : kept_elements(graph))
    add(plan.activation_bytes, kept * kFloatBytes, kMaxMacs, document, "activations");
  plan.parameter_bytes = plan.parameters * kFloatBytes;
}

void require_logits(const Graph& graph, const base::Reader& document, std::int64_t batch_size) {
  const Value& logits = graph.values[static_cast<std::size_t>(graph.output)];
  const bool floats = logits.dtype == DType::float32;
  if (floats && logits.requires_grad && !logits.shape.empty() && logits.shape.front() == batch_size) return;
  throw document.error("the network's output, " + to_string(logits.dtype) + " " + schema::to_string(logits.shape) +
                       ", must be float32, have the batch as its first dimension and depend on a layer with weights");
}

void require_same_outputs(const Graph& graph, const base::Reader& document) {
  const auto shape_of = [&](int slot) { return graph.values[static_cast<std::size_t>(slot)].shape; };
  for (const schema::AuxiliaryOutput& one : graph.auxiliary) {
    if (shape_of(one.slot) != shape_of(graph.output))
      throw document.error("an auxiliary output is " + schema::to_string(shape_of(one.slot)) +
                           ", but must have the shape of the network's output, " +
                           schema::to_string(shape_of(graph.output)));
  }
}

// Returns "--max-length 64 --set heads=7,layers=2", without what is as in the definition.
std::string changes_text(const Definition& definition, const ParameterChanges& changes) {
  std::map<std::string, std::string> changed;  // by option
  for (const auto& [name, value] : changes) {
    if (is_own_value(definition, name, value)) continue;
    const std::string option = option_of(name);
    std::string& text = changed[option];
    text += (text.empty() ? option + " " : ",") + (option == kSetOption ? name + "=" : "") + base::number_text(value);
  }
  return base::join(changed | std::views::values, " ");
}

// Returns the most positions, up to those of CACHE, with which a network that reads one token can generate.
std::int64_t most_positions(const base::Reader& document, Environment environment, schema::Mode mode,
                            const schema::KeyValueCache& cache) {
  environment.set("tokens", 1);
  std::int64_t most = 0;
  for (std::int64_t least_refused = cache.capacity + 1; most + 1 < least_refused;) {
    const std::int64_t tried = std::midpoint(most, least_refused);
    try {
      (void)expand(document, environment, 1, mode, schema::KeyValueCache{.filled = tried - 1, .capacity = tried});
      most = tried;
    } catch (const base::Error&) {
      least_refused = tried;
    }
  }
  return most;
}

// Shapes may be possible with the definition's own values but not with others: BERT, for example, has only 512
// positions.
Graph expand_changed(const Definition& definition, const base::Reader& document, const ParameterChanges& changes,
                     std::int64_t batch_size, schema::Mode mode, const std::optional<schema::KeyValueCache>& cache) {
  const Environment environment = model_environment(definition, changes);
  try {
    return expand(document, environment, batch_size, mode, cache);
  } catch (const base::Error& error) {
    if (cache) {
      const std::int64_t most = most_positions(document, environment, mode, *cache);
      if (most == 0 || most == cache->capacity)  // the number of positions is not what is wrong
        throw base::usage_error("the model '" + definition.name + "' cannot generate: " + error.what());
      throw base::usage_error("--depth, --prompt and --generate need " + std::to_string(cache->capacity) +
                              " positions, but the model '" + definition.name + "' has " + std::to_string(most) +
                              "; lower one of them");
    }
    const std::string changed = changes_text(definition, changes);
    if (changed.empty()) throw;
    throw base::usage_error(changed + ": the model '" + definition.name + "' cannot have this: " + error.what());
  }
}

// Lets the network compute the logits of the last position alone: its last linear layer, and what follows, reads no
// other.
void take_last_position(Graph& graph) {
  auto head = std::ssize(graph.layers) - 1;
  while (head > 0 && graph.layers[static_cast<std::size_t>(head)].node.type != "linear") --head;
  const int all = graph.layers[static_cast<std::size_t>(head)].node.inputs.at(0);
  const Value& states = graph.values[static_cast<std::size_t>(all)];
  const std::int64_t length = states.shape.at(1);
  Layer last;
  last.type = find_layer_type("split");
  last.path = graph.layers[static_cast<std::size_t>(head)].path;
  last.storage = Storage::rearranged;
  last.node.name = "last_position";
  last.node.type = "split";
  last.node.options = {{"dim", 1}, {"start", -1}, {"length", 1}};
  last.node.inputs = {all};
  last.node.output = static_cast<int>(graph.values.size());
  last.node.shape = {states.shape[0], 1, states.shape[2]};
  Value one = states;
  one.shape = last.node.shape;
  const int slot = last.node.output;
  graph.values.push_back(std::move(one));
  for (std::size_t i = static_cast<std::size_t>(head); i < graph.layers.size(); ++i) {
    schema::NetworkNode& node = graph.layers[i].node;
    std::ranges::replace(node.inputs, all, slot);
    node.shape.at(1) = 1;
    node.forward_macs /= length;
    graph.values[static_cast<std::size_t>(node.output)].shape = node.shape;
  }
  graph.layers.insert(graph.layers.begin() + head, std::move(last));
}

base::Error cannot_generate(const Definition& definition, const base::Reader& document) {
  return document.error("the model '" + definition.name +
                        "' cannot generate: it must read token numbers, attend to them and have the loss "
                        "next_token_cross_entropy");
}

// Makes GRAPH one that generates, and counts what CACHE keeps of a position.
schema::KeyValueCache generating(Graph& graph, const Definition& definition, const base::Reader& document,
                                 schema::KeyValueCache cache) {
  cache.allocated = schema::allocated_positions(cache.capacity);
  const Value& ids = graph.values.front();
  const bool reads_tokens = graph.inputs.size() == 1 && ids.dtype == DType::int64 && ids.shape.size() == 2;
  const Value& logits = graph.values[static_cast<std::size_t>(graph.output)];
  const auto shape_of = [&graph](int slot) { return graph.values[static_cast<std::size_t>(slot)].shape; };
  for (const Layer& layer : graph.layers) {
    if (layer.node.type != "scaled_dot_product_attention") continue;
    for (const int slot : {layer.node.inputs.at(1), layer.node.inputs.at(2)})
      cache.elements += element_count(shape_of(slot)) / ids.shape.back();
  }
  if (!reads_tokens || logits.shape.size() != 3 || cache.elements == 0) throw cannot_generate(definition, document);
  take_last_position(graph);
  return cache;
}

// Whether SLOT is an input of the network that is filled with ones.
bool is_all_ones(const schema::NetworkPlan& plan, int slot) {
  const auto index = static_cast<std::size_t>(slot);
  return index < plan.inputs.size() && plan.inputs[index].fill == "ones";
}

}  // namespace

std::string option_of(const std::string& name) {
  const auto* own = std::ranges::find(kOwnOptions, name, &OwnOption::parameter);
  return own == std::end(kOwnOptions) ? kSetOption : own->option;
}

bool is_own_value(const Definition& definition, const std::string& name, double value) {
  const auto own = parameters_of(definition).find(name);
  return own != parameters_of(definition).end() && *own == value;
}

ParameterChanges changes_of(const schema::CaseSpec& spec) {
  ParameterChanges changes = spec.parameters;
  if (spec.classes) changes["classes"] = static_cast<double>(*spec.classes);
  if (spec.dropout) changes["dropout"] = *spec.dropout;
  if (spec.max_length) changes["tokens"] = static_cast<double>(*spec.max_length);
  return changes;
}

schema::NetworkPlan build_network_plan(const Definition& definition, std::int64_t batch_size,
                                       const ParameterChanges& changes, const std::string& loss, schema::Mode mode,
                                       const std::optional<schema::KeyValueCache>& cache) {
  if (batch_size < 1) throw base::usage_error("the batch size must be at least 1");
  base::Reader document(definition.document, definition.file);
  if (cache && !definition.continues_texts()) throw cannot_generate(definition, document.at("loss"));
  Graph graph = expand_changed(definition, document, changes, batch_size, mode, cache);
  require_no_dead_ends(graph);
  require_safe_in_place(graph, mode);
  require_logits(graph, document.at("layers"), batch_size);
  require_same_outputs(graph, document.at("layers"));
  schema::NetworkPlan plan;
  if (cache) plan.cache = generating(graph, definition, document.at("layers"), *cache);
  set_releases(graph);
  plan.model = definition.name;
  plan.inputs = graph.inputs;
  plan.slots = static_cast<int>(graph.values.size());
  plan.output = graph.output;
  plan.auxiliary = graph.auxiliary;
  count(plan, graph, document.at("layers"));
  const double peak = peak_activation_bytes(graph, mode);
  plan.peak_activation_bytes = static_cast<std::int64_t>(std::min(peak, static_cast<double>(kMaxMacs)));
  // A single position has no next one.
  const std::string problem =
      set_loss(plan, cache ? "token_cross_entropy" : loss, graph.values[static_cast<std::size_t>(graph.output)].shape);
  if (!problem.empty()) throw document.at("loss").error(problem);
  for (Layer& layer : graph.layers) plan.nodes.push_back(std::move(layer.node));
  return plan;
}

namespace {

// Tokens of a network's input, and the positions before and after them.
schema::NetworkPlan plan_at(const Definition& definition, const schema::CaseSpec& spec, std::int64_t filled,
                            std::int64_t tokens) {
  if (!definition.tokens)
    throw base::usage_error(definition.file + ": the model '" + definition.name +
                            "' cannot generate: the length of its input must be a parameter named 'tokens'");
  ParameterChanges changes = changes_of(spec);
  changes["tokens"] = static_cast<double>(tokens);
  schema::NetworkPlan plan =
      build_network_plan(definition, spec.batch_size, changes, spec.loss, spec.mode,
                         schema::KeyValueCache{.filled = filled, .capacity = cached_positions(spec)});
  quantize(plan, row_of(spec.precision));
  return plan;
}

Definition case_definition(const schema::RunInfo& run, const std::string& definition_sha256,
                           const schema::CaseSpec& spec) {
  const auto found = run.definitions.find(definition_sha256);
  if (found != run.definitions.end()) return read_definition(found->second, spec.model);
  throw base::usage_error("$.run.definitions lacks " + base::excerpt(definition_sha256) +
                          ", the definition of the model " + spec.model);
}

}  // namespace

schema::NetworkPlan plan_of(const Definition& definition, const schema::CaseSpec& spec) {
  if (row_of(spec.mode).generates) return plan_at(definition, spec, spec.depth.value(), spec.prompt.value());
  schema::NetworkPlan plan = build_network_plan(definition, spec.batch_size, changes_of(spec), spec.loss, spec.mode);
  if (spec.freeze_backbone) freeze_backbone(plan);
  quantize(plan, row_of(spec.precision));
  return plan;
}

schema::NetworkPlan case_network_plan(const schema::RunInfo& run, const std::string& definition_sha256,
                                      const schema::CaseSpec& spec) {
  schema::NetworkPlan plan = plan_of(case_definition(run, definition_sha256, spec), spec);
  for (schema::NetworkNode& node : plan.nodes) {
    if (node.type == "padding_mask" && (spec.pad || !is_all_ones(plan, node.inputs.at(0))))
      node.options[schema::kMayHavePadding] = true;
  }
  return plan;
}

schema::NetworkPlan token_plan(const schema::RunInfo& run, const std::string& definition_sha256,
                               const schema::CaseSpec& spec) {
  const std::int64_t middle = spec.depth.value() + spec.prompt.value() + (spec.generate.value() - 1) / 2;
  return plan_at(case_definition(run, definition_sha256, spec), spec, middle, 1);
}

}  // namespace mpsbench::model
