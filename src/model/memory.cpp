#include "model/memory.hpp"

#include "model/quantization.hpp"

namespace mpsbench::model {

namespace {

// How many averages the optimizer keeps per weight.
double averages(const schema::OptimizerSpec& optimizer) {
  const auto uses = [&optimizer](const char* setting) {
    const auto found = optimizer.settings.find(setting);
    return found != optimizer.settings.end() && found->second != 0;
  };
  if (optimizer.name == "none") return 0;
  if (optimizer.name == "sgd") return uses("momentum") ? 1 : 0;
  return uses("amsgrad") ? 3 : 2;
}

}  // namespace

double cache_bytes(const schema::KeyValueCache& cache, const schema::CaseSpec& spec) {
  return static_cast<double>(cache.elements) * static_cast<double>(cache.allocated) *
         row_of(spec.precision).activation_share * static_cast<double>(row_of(schema::DType::float32).bytes);
}

MemoryForecast forecast_memory(const schema::NetworkPlan& plan, const schema::CaseSpec& spec) {
  MemoryForecast memory;
  memory.batch = static_cast<double>(plan.input_bytes);
  if (!row_of(spec.mode).has_network) return memory;
  memory.weights = weight_bytes(plan, row_of(spec.precision));
  const double share = row_of(spec.precision).activation_share;
  memory.activations = static_cast<double>(plan.peak_activation_bytes) * share;
  if (plan.cache) memory.cache = cache_bytes(*plan.cache, spec);
  if (!row_of(spec.mode).trains) return memory;
  memory.gradients = static_cast<double>(plan.trainable_parameters * row_of(schema::DType::float32).bytes);
  memory.optimizer = memory.gradients * averages(spec.optimizer);
  // Autocast keeps its copies of weights with a gradient until the backward pass has used them.
  if (share < 1) memory.activations += memory.gradients * share;
  return memory;
}

}  // namespace mpsbench::model
