#include "data/synthetic.hpp"

#include "base/error.hpp"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

namespace mpsbench::data {
namespace {

at::Tensor draw(const schema::NetworkInput& input, at::Generator& generator) {
  const at::TensorOptions options = at::dtype(input.dtype == "int64" ? at::kLong : at::kFloat);
  if (input.fill == "ones") return at::ones(input.shape, options);
  if (input.fill == "zeros") return at::zeros(input.shape, options);
  if (input.fill == "integers") return at::randint(0, input.high, input.shape, generator, options);
  if (input.fill == "uniform") return at::rand(input.shape, generator, options);
  if (input.fill == "normal") return at::randn(input.shape, generator, options);
  throw base::usage_error("input '" + input.name + "': unknown fill '" + input.fill + "'");
}

// Draws class numbers or, for targets of the logits' shape, independent zeros and ones.
at::Tensor draw_target(const schema::NetworkPlan& plan, at::Generator& generator) {
  if (plan.target_dtype == "int64") {
    return at::randint(0, plan.target_high, plan.target_shape, generator, at::dtype(at::kLong));
  }
  return at::randint(0, 2, plan.target_shape, generator, at::dtype(at::kFloat));
}

}  // namespace

Batch make_synthetic_batch(const schema::NetworkPlan& plan, std::int64_t seed, const c10::Device& device) {
  at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(static_cast<std::uint64_t>(seed));
  Batch batch;
  for (const schema::NetworkInput& input : plan.inputs)
    batch.inputs.push_back(draw(input, generator).to(device));
  batch.target = draw_target(plan, generator).to(device);
  return batch;
}

}  // namespace mpsbench::data
