#include "model/expander.hpp"

#include "model/layer_context.hpp"
#include "model/layer_table.hpp"

#include <algorithm>
#include <utility>

namespace mpsbench::model {
namespace {

constexpr double kMaxAuxiliaryFactor = 1000;
constexpr int kMaxDepth = 64;
constexpr std::size_t kMaxFullName = 200;
constexpr const char* kReserved = "in";

// Returns the name at PLACE, with INDEX for {i}. A text that is too long for a name is returned as it is.
std::string name_of_round(const base::Reader& place, std::optional<std::int64_t> index) {
  const std::string text = place.string();
  const auto name = text.size() <= kMaxFullName ? with_index(text, index) : text;
  if (!name)
    throw place.error(
        "{i} is the number of a round of 'repeat', but neither this entry nor one around it has 'repeat'");
  return *name;
}

// Returns VALUE or, if it is {"first": a, "step": b}, what that is in the round INDEX of 'repeat'.
nlohmann::json in_round(const base::Reader& value, std::optional<std::int64_t> index) {
  if (!value.is_object()) return value.value();
  base::Reader growing = value;
  const base::Reader first = growing.at("first");
  const base::Reader step = growing.at("step");
  growing.done();
  if (!index) throw value.error("'first' and 'step' count the rounds of 'repeat', which is missing");
  if (!first.value().is_number_integer() || !step.value().is_number_integer())
    return first.number() + step.number() * static_cast<double>(*index);
  return first.integer(-kMaxSize, kMaxSize) + step.integer(-kMaxSize, kMaxSize) * *index;
}

// Returns a reader without keys if DOCUMENT has no blocks.
base::Reader blocks_of(base::Reader& document) {
  static const nlohmann::json kNone = nlohmann::json::object();
  return document.has("blocks") ? document.at("blocks") : base::Reader(kNone, document.file());
}

}  // namespace

Expander::Expander(const base::Reader& document, const Environment& model, schema::Mode mode,
                   const std::optional<schema::KeyValueCache>& cache)
    : document_(document), blocks_(blocks_of(document_)), model_(&model), mode_(mode), cache_(cache) {
  graph_.file = document_.file();
  for (const std::string& name : blocks_.keys()) {
    if (!is_identifier(name)) throw blocks_.error("a block's name must be 1 to 100 letters, digits and _");
  }
}

void Expander::add_input(schema::NetworkInput input, Value value, const base::Reader& place) {
  if (input.name == kReserved || !names_.add(input.name, static_cast<int>(graph_.values.size()))) {
    throw place.error("the name '" + input.name + "' is already taken");
  }
  graph_.inputs.push_back(std::move(input));
  graph_.values.push_back(std::move(value));
}

void Expander::expand() {
  Scope root;
  graph_.output = expand_list(document_.at("layers"), {&root, model_, 0, std::nullopt, 0});
  for (const std::string& name : blocks_.keys()) {
    if (!used_blocks_.contains(name)) throw blocks_.at(name).error("this block is never used; remove it");
  }
}

int Expander::expand_list(const base::Reader& list, const Context& context) {
  if (context.depth > kMaxDepth) throw list.error("groups and blocks are nested more than 64 deep");
  if (list.size() == 0) throw list.error("must not be empty");
  if (list.size() > kMaxLayers) throw list.error("has more than " + std::to_string(kMaxLayers) + " entries");
  int previous = context.input;
  for (std::size_t i = 0; i < list.size(); ++i) previous = expand_entry(list.item(i), context, previous);
  return previous;
}

int Expander::expand_entry(base::Reader reader, const Context& context, int previous) {
  if (reader.has("auxiliary")) return expand_auxiliary(reader, context, previous);
  if (reader.has("repeat") && reader.has("to")) throw reader.error("give 'repeat' or 'to', not both");
  if (!reader.has("repeat") && !reader.has("to")) {
    if (reader.has("from")) throw reader.at("from").error("'from' needs 'repeat' or 'to' in the same entry");
    return expand_once(reader, context, previous);
  }
  const auto whole = [&](const char* key, std::int64_t min) {
    const base::Reader given = reader.at(key);
    const nlohmann::json value = context.environment->resolve(given);
    return base::Reader(value, given.file(), given.path()).integer(min, static_cast<std::int64_t>(kMaxLayers));
  };
  const std::int64_t first = reader.has("from") ? whole("from", 0) : 0;
  const std::int64_t count = reader.has("to") ? whole("to", first + 1) - first : whole("repeat", 1);
  if (count > 1 && reader.has("name") && reader.at("name").string().find("{i}") == std::string::npos) {
    throw reader.at("name").error(
        "the name of a repeated entry must contain {i}, which becomes the number of the round");
  }
  for (std::int64_t i = first; i < first + count; ++i) {
    Context round = context;
    round.index = i;
    previous = expand_once(reader, round, previous);
  }
  return previous;
}

int Expander::expand_once(const base::Reader& reader, const Context& context, int previous) {
  LayerEntry entry{reader, std::nullopt, {}};
  for (const char* key : {"repeat", "from", "to", "auxiliary"}) entry.reader.ignore(key);
  entry.name = read_name(entry.reader, context);
  entry.inputs = read_inputs(entry.reader, context, previous);
  const int kinds = static_cast<int>(reader.has("type")) + static_cast<int>(reader.has("block")) +
                    static_cast<int>(reader.has("layers"));
  if (kinds != 1) {
    throw reader.error(
        "needs exactly one of 'type' (for a layer), 'block' (to use a block) and 'layers' (for a group)");
  }
  if (reader.has("type")) return expand_layer(entry, context);
  return reader.has("block") ? expand_block(entry, context) : expand_group(entry, context);
}

int Expander::expand_auxiliary(base::Reader reader, const Context& context, int previous) {
  if (reader.has("repeat") || reader.has("to")) throw reader.error("an entry with 'auxiliary' cannot be repeated");
  const base::Reader given = reader.at("auxiliary");
  const nlohmann::json value = context.environment->resolve(given);
  const double factor = base::Reader(value, given.file(), given.path()).number(0, kMaxAuxiliaryFactor);
  const Names readable = names_;
  const auto layers = std::ssize(graph_.layers);
  const auto values = std::ssize(graph_.values);
  const int output = expand_once(reader, context, previous);
  names_ = readable;
  if (row_of(mode_).trains) {
    graph_.auxiliary.push_back({output, factor});
  } else {
    graph_.layers.erase(graph_.layers.begin() + layers, graph_.layers.end());
    graph_.values.erase(graph_.values.begin() + values, graph_.values.end());
  }
  return previous;
}

int Expander::expand_group(LayerEntry& entry, const Context& context) {
  const base::Reader list = entry.reader.at("layers");
  entry.reader.done();
  return expand_body(list, entry, context);
}

std::string Expander::block_name(const base::Reader& named) {
  std::string name = named.string();
  if (!blocks_.has(name))
    throw named.error("there is no block " + in_quotes(name) +
                      (is_identifier(name) ? base::did_you_mean(name, blocks_.keys()) : ""));
  used_blocks_.insert(name);
  return name;
}

std::string Expander::block_of_round(const base::Reader& named, std::optional<std::int64_t> index) {
  if (!named.is_array()) return block_name(named);
  if (!index) throw named.error("several blocks take turns in the rounds of 'repeat', which is missing");
  if (named.size() == 0) throw named.error("must not be empty");
  std::vector<std::string> names;
  for (const base::Reader& one : named.items()) names.push_back(block_name(one));
  return names[static_cast<std::size_t>(*index) % names.size()];
}

int Expander::expand_block(LayerEntry& entry, const Context& context) {
  const base::Reader named = entry.reader.at("block");
  const std::string name = block_of_round(named, context.index);
  if (std::find(active_blocks_.begin(), active_blocks_.end(), name) != active_blocks_.end()) {
    throw named.error("the block '" + name + "' cannot contain itself");
  }
  base::Reader block = blocks_.at(name);
  const Environment environment = bind(entry, block, name, context);
  entry.reader.done();
  const base::Reader list = block.at("layers");
  block.done();

  active_blocks_.push_back(name);
  Context inside = context;
  inside.environment = &environment;
  inside.index = std::nullopt;
  // The name of this use may contain {i}; read_name() has already replaced it.
  const int output = expand_body(list, entry, inside);
  active_blocks_.pop_back();
  if (const std::string unused = environment.unused(); !unused.empty()) {
    throw block.at("parameters").error("the parameter '" + unused + "' is never used; remove it");
  }
  return output;
}

Environment Expander::bind(LayerEntry& entry, base::Reader& block, const std::string& name, const Context& context) {
  Environment environment("the block '" + name + "'", model_);
  static const nlohmann::json kNothing = nlohmann::json::object();
  base::Reader given =
      entry.reader.has("with") ? entry.reader.at("with") : base::Reader(kNothing, graph_.file, entry.reader.path());
  base::Reader parameters =
      block.has("parameters") ? block.at("parameters") : base::Reader(kNothing, graph_.file, block.path());
  for (const std::string& key : parameters.keys()) {
    if (!is_identifier(key)) throw parameters.error("a parameter's name must be 1 to 100 letters, digits and _");
    const base::Reader initial = parameters.at(key);
    if (!initial.is_null()) require_parameter_value(initial);
    if (given.has(key)) {
      const base::Reader value = given.at(key);
      const nlohmann::json given_value = context.environment->resolve(value);
      nlohmann::json resolved = in_round(base::Reader(given_value, value.file(), value.path()), context.index);
      require_parameter_value(base::Reader(resolved, value.file(), value.path()));
      environment.set(key, std::move(resolved));
    } else if (initial.is_null()) {
      throw entry.reader.error("the block '" + name + "' needs the parameter '" + key + "' in 'with'");
    } else {
      given.ignore(key);
      environment.set(key, initial.value());
    }
  }
  given.done();
  return environment;
}

int Expander::expand_body(const base::Reader& list, const LayerEntry& entry, Context context) {
  if (entry.inputs.size() != 1) {
    throw entry.reader.error("a block or group takes exactly one input, but " + std::to_string(entry.inputs.size()) +
                             " are given; join them with a cat layer first");
  }
  context.input = entry.inputs.front();
  ++context.depth;
  if (!entry.name) return expand_list(list, context);
  Scope scope{claim_name(entry, context)};
  context.scope = &scope;
  static_cast<void>(names_.add(scope.full_name(kReserved), context.input));
  const int output = expand_list(list, context);
  static_cast<void>(names_.add(scope.prefix, output));
  return output;
}

int Expander::expand_layer(LayerEntry& entry, const Context& context) {
  const base::Reader named = entry.reader.at("type");
  const std::string name = named.string();
  Layer layer;
  layer.type = find_layer_type(name);
  if (!layer.type) {
    throw named.error("unknown layer type " + in_quotes(name) +
                      (is_identifier(name) ? base::did_you_mean(name, layer_type_names()) : ""));
  }
  layer.saves = layer.type->saves;
  layer.path = entry.reader.path();
  layer.node.type = name;
  nlohmann::json inits = nlohmann::json::object();
  for (const LayerOption& option : layer.type->options) {
    nlohmann::json value = option.initial;
    if (entry.reader.has(option.key)) {
      const base::Reader given = entry.reader.at(option.key);
      const nlohmann::json resolved = context.environment->resolve(given);
      value = read_option(option, base::Reader(resolved, given.file(), given.path()));
    } else if (value.is_discarded()) {
      throw entry.reader.error("the key '" + std::string(option.key) + "' is missing");
    }
    entry.reader.ignore(option.key);
    if (option.kind == LayerOptionKind::layer) {
      if (!value.is_null()) layer.shared_weight = weight_of(entry.reader.at(option.key), context);
    } else {
      (option.kind == LayerOptionKind::init ? inits : layer.node.options)[option.key] = std::move(value);
    }
  }
  entry.reader.done();
  if (entry.inputs.size() < layer.type->min_inputs || entry.inputs.size() > layer.type->max_inputs) {
    const std::string most =
        layer.type->max_inputs == layer.type->min_inputs ? "" : " to " + std::to_string(layer.type->max_inputs);
    throw entry.reader.error(name + " takes " + std::to_string(layer.type->min_inputs) + most + " inputs, but has " +
                             std::to_string(entry.inputs.size()) + "; list their names in 'inputs'");
  }
  layer.node.name = claim_name(entry, context);
  return add_layer(entry, std::move(layer), std::move(inits));
}

int Expander::add_layer(const LayerEntry& entry, Layer layer, nlohmann::json inits) {
  if (graph_.layers.size() >= kMaxLayers) {
    throw entry.reader.error("the network has more than " + std::to_string(kMaxLayers) + " layers");
  }
  layer.node.inputs = entry.inputs;
  layer.node.output = static_cast<int>(graph_.values.size());
  std::vector<Value> inputs;
  for (const int slot : entry.inputs) inputs.push_back(graph_.values[static_cast<std::size_t>(slot)]);
  Value output;
  LayerContext(entry.reader, std::move(inputs), std::move(inits), mode_, cache_, layer, output).plan();
  for (const schema::NetworkTensor& tensor : layer.node.tensors) {
    if (!tensor.is_shared && !tensor_names_.insert(tensor.name).second)
      throw entry.reader.error("an earlier layer has a tensor '" + tensor.name + "', too; change a name");
  }
  static_cast<void>(names_.add(layer.node.name, layer.node.output));
  graph_.values.push_back(std::move(output));
  graph_.layers.push_back(std::move(layer));
  return graph_.layers.back().node.output;
}

std::string Expander::claim_name(const LayerEntry& entry, const Context& context) {
  const std::string own = entry.name ? *entry.name : std::to_string(context.scope->entries);
  ++context.scope->entries;
  std::string full = context.scope->full_name(own);
  if (full.size() > kMaxFullName) throw entry.reader.error("the entry's full name is longer than 200 characters");
  if (names_.contains(full))
    throw entry.reader.error("the name '" + full + "' is already taken; names must be unique in their scope");
  return full;
}

std::optional<std::string> Expander::read_name(base::Reader& reader, const Context& context) {
  if (!reader.has("name")) return std::nullopt;
  const base::Reader given = reader.at("name");
  std::string name = name_of_round(given, context.index);
  std::string letters = name;
  std::erase(letters, '-');  // torchvision has some
  if (!is_identifier(letters)) throw given.error("a name must be 1 to 100 letters, digits, _ and -, or {i}");
  if (name == kReserved) throw given.error("'in' is reserved for the input of a block; choose another name");
  return name;
}

std::vector<int> Expander::read_inputs(base::Reader& reader, const Context& context, int previous) const {
  constexpr std::size_t kMostInputs = 64;
  if (reader.has("input") && reader.has("inputs")) throw reader.error("give 'input' or 'inputs', not both");
  reader.ignore("input");
  reader.ignore("inputs");
  if (reader.has("input")) return {find_input(reader.at("input"), context)};
  if (!reader.has("inputs")) return {previous};
  const base::Reader list = reader.at("inputs");
  if (list.size() == 0 || list.size() > kMostInputs) throw list.error("expected a list of 1 to 64 names");
  std::vector<int> slots;
  for (std::size_t i = 0; i < list.size(); ++i) slots.push_back(find_input(list.item(i), context));
  return slots;
}

int Expander::find_input(const base::Reader& reader, const Context& context) const {
  const std::string name = name_of_round(reader, context.index);
  if (name == kReserved) return context.input;
  if (const auto slot = names_.find(context.scope->prefix, name)) return *slot;
  throw reader.error("no layer or input named " + in_quotes(name) +
                     " comes before this entry, and an entry can only read what comes before it");
}

schema::NetworkTensor Expander::weight_of(const base::Reader& reader, const Context& context) const {
  const int slot = find_input(reader, context);
  for (const Layer& layer : graph_.layers) {
    if (layer.node.output != slot) continue;
    const auto weight = std::ranges::find(layer.node.tensors, "weight", &schema::NetworkTensor::role);
    if (weight != layer.node.tensors.end()) return *weight;
  }
  throw reader.error(in_quotes(reader.string()) + " is no layer with a weight");
}

}  // namespace mpsbench::model
