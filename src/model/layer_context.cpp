#include "model/layer_context.hpp"

#include <algorithm>

namespace mpsbench::model {

LayerContext::LayerContext(const base::Reader& entry, std::vector<Value> inputs, nlohmann::json inits,
                           schema::Mode mode, const std::optional<schema::KeyValueCache>& cache, Layer& layer,
                           Value& output)
    : entry_(entry),
      inputs_(std::move(inputs)),
      inits_(std::move(inits)),
      mode_(mode),
      cache_(&cache),
      layer_(&layer),
      output_(&output) {}

void LayerContext::plan() {
  layer_->type->plan(*this);
  const bool has_weights = std::ranges::any_of(layer_->node.tensors, &schema::NetworkTensor::trainable);
  // A parameter only reads its input's shape.
  const bool differentiable =
      layer_->storage != Storage::parameter && (differentiable_ || std::ranges::any_of(inputs_, &Value::requires_grad));
  output_->requires_grad = output_->dtype == DType::float32 && (has_weights || differentiable);
}

std::string LayerContext::where() const {
  std::string text = " (" + layer_->node.type + " '" + layer_->node.name + "'";
  for (std::size_t i = 0; i < inputs_.size() && i < 4; ++i) {
    text += (i == 0 ? " with input " : ", ") + schema::to_string(inputs_[i].shape);
  }
  return text + ")";
}

base::Error LayerContext::error(const std::string& message) const {
  return entry_.error(message + where());
}

base::Error LayerContext::error_at(const char* key, const std::string& message) const {
  if (!entry_.has(key)) return error(std::string(key) + ": " + message);
  return base::Reader(entry_.value(), entry_.file(), entry_.path() + "." + key).error(message + where());
}

const schema::Shape& LayerContext::typed(std::size_t i, DType dtype, std::size_t min_rank, std::size_t max_rank) const {
  const Value& value = inputs_[i];
  if (value.dtype != dtype) {
    throw error("input " + std::to_string(i + 1) + " must be " + to_string(dtype) + ", but is " +
                to_string(value.dtype));
  }
  const std::size_t rank = value.shape.size();
  if (rank >= min_rank && rank <= max_rank) return value.shape;
  const std::string wanted =
      min_rank == max_rank ? std::to_string(min_rank) : std::to_string(min_rank) + " to " + std::to_string(max_rank);
  throw error("input " + std::to_string(i + 1) + " must have " + wanted + " dimensions, but has " +
              std::to_string(rank));
}

const schema::Shape& LayerContext::floats(std::size_t i, std::size_t min_rank, std::size_t max_rank) const {
  return typed(i, DType::float32, min_rank, max_rank);
}

const schema::Shape& LayerContext::integers(std::size_t i, std::size_t min_rank, std::size_t max_rank) const {
  return typed(i, DType::int64, min_rank, max_rank);
}

std::int64_t LayerContext::integer(const char* option) const {
  return layer_->node.options.at(option).get<std::int64_t>();
}
double LayerContext::number(const char* option) const {
  return layer_->node.options.at(option).get<double>();
}
bool LayerContext::flag(const char* option) const {
  return layer_->node.options.at(option).get<bool>();
}
Pair LayerContext::pair(const char* option) const {
  const std::vector<std::int64_t> values = list(option);
  return {values[0], values[1]};
}
std::vector<std::int64_t> LayerContext::list(const char* option) const {
  return layer_->node.options.at(option).get<std::vector<std::int64_t>>();
}
bool LayerContext::is_null(const char* option) const {
  return layer_->node.options.at(option).is_null();
}
std::size_t LayerContext::count(const char* option) const {
  return layer_->node.options.at(option).size();
}
void LayerContext::set_option(const char* option, nlohmann::json value) {
  layer_->node.options[option] = std::move(value);
}

std::size_t LayerContext::dimension(const char* option, std::int64_t value, std::size_t rank) const {
  const auto count = static_cast<std::int64_t>(rank);
  const std::int64_t dim = value < 0 ? value + count : value;
  if (dim < 0 || dim >= count) {
    throw error_at(option, "dimension " + std::to_string(value) + " does not exist; the tensor has " +
                               std::to_string(count) + " dimensions");
  }
  if (dim == 0) throw error_at(option, "dimension 0 is the batch, which a layer cannot change");
  return static_cast<std::size_t>(dim);
}

void LayerContext::set_output(schema::Shape shape, DType dtype, std::int64_t high) {
  if (!elements(shape)) throw error("the output " + schema::to_string(shape) + " is larger than any machine's memory");
  layer_->node.shape = shape;
  output_->shape = std::move(shape);
  output_->dtype = dtype;
  output_->high = high;
}

void LayerContext::add_parameter(const char* role, schema::Shape shape, DefaultInit initial, std::int64_t fan_out) {
  if (!elements(shape)) {
    throw error("the " + std::string(role) + " " + schema::to_string(shape) + " is larger than any machine's memory");
  }
  schema::NetworkTensor tensor;
  tensor.role = role;
  tensor.name = layer_->node.name;
  if (!tensor.role.empty()) tensor.name += layer_->node.options.value("separator", ".") + tensor.role;
  tensor.shape = std::move(shape);
  const std::string key = tensor.role.empty() ? "init" : tensor.role + "_init";
  if (tensor.role == "weight" && layer_->shared_weight) {
    if (layer_->shared_weight->shape != tensor.shape)
      throw error_at("weight_from", "'" + layer_->shared_weight->name + "' is " +
                                        schema::to_string(layer_->shared_weight->shape) + ", but this layer needs " +
                                        schema::to_string(tensor.shape));
    tensor = *layer_->shared_weight;
    tensor.is_shared = true;
    layer_->node.tensors.push_back(std::move(tensor));
    return;
  }
  if (!set_init(tensor, inits_.at(key), initial, fan_out)) {
    throw error_at(key.c_str(),
                   inits_.at(key).get<std::string>() + " is only for the weights of convolutions and linear layers");
  }
  layer_->node.tensors.push_back(std::move(tensor));
}

void LayerContext::add_buffer(const char* role, schema::Shape shape, DType dtype, const char* init) {
  schema::NetworkTensor tensor;
  tensor.name = layer_->node.name + "." + role;
  tensor.role = role;
  tensor.dtype = dtype;
  tensor.shape = std::move(shape);
  tensor.trainable = false;
  tensor.init = init;
  layer_->node.tensors.push_back(std::move(tensor));
}

void LayerContext::count_macs(std::initializer_list<std::int64_t> factors, std::initializer_list<bool> gradients) {
  std::optional<std::int64_t> macs = 1;
  for (const std::int64_t factor : factors) {
    if (macs) macs = product(*macs, factor);
  }
  if (!macs) throw error("a pass needs more multiplications than any machine can do");
  layer_->node.forward_macs = *macs;
  if (!training()) return;
  const auto count = std::count(gradients.begin(), gradients.end(), true);
  const auto backward = product(*macs, count);
  if (!backward) throw error("a pass needs more multiplications than any machine can do");
  layer_->node.backward_macs = *backward;
}

}  // namespace mpsbench::model
