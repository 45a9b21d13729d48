#include "data/synthetic.hpp"

#include "base/error.hpp"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include <algorithm>

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

Batch first_rows(const Batch& batch, std::int64_t count) {
  const auto rows_of = [count](const at::Tensor& all) {
    return all.narrow(0, 0, std::min(count, all.size(0)));
  };
  Batch rows;
  for (const at::Tensor& input : batch.inputs) rows.inputs.push_back(rows_of(input));
  rows.target = rows_of(batch.target);
  return rows;
}

Batch on_cpu(const Batch& batch) {
  Batch copy;
  for (const at::Tensor& input : batch.inputs) copy.inputs.push_back(input.cpu());
  copy.target = batch.target.cpu();
  return copy;
}

Batch make_synthetic_batch(const schema::NetworkPlan& plan, std::int64_t seed, const c10::Device& device) {
  at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(static_cast<std::uint64_t>(seed));
  Batch batch;
  for (const schema::NetworkInput& input : plan.inputs)
    batch.inputs.push_back(draw(input, generator).to(device));
  batch.target = draw_target(plan, generator).to(device);
  return batch;
}

}  // namespace mpsbench::data
