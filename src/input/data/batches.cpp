#include "input/data/batches.hpp"

#include "base/error.hpp"
#include "input/data/file_batches.hpp"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include <algorithm>
#include <utility>

namespace mpsbench::data {

Batch take_batch(Batches& batches) {
  std::optional<Batch> batch = batches.next();
  if (!batch) {
    batches.begin_epoch();
    batch = batches.next();
  }
  if (!batch) throw base::usage_error("the data set has fewer rows than a batch; lower --batch-size");
  return std::move(batch).value();
}

std::unique_ptr<Batches> open_batches(const DataOptions& options, const schema::NetworkPlan& plan, DataPart part) {
  if (row_of(options.dataset).rows == schema::RowKind::texts) return std::make_unique<TextBatches>(options, plan, part);
  return std::make_unique<ImageBatches>(options, plan, part);
}

namespace {

// Returns the shape of COUNT batches of SHAPE.
schema::Shape joined(schema::Shape shape, std::int64_t count) {
  shape.at(0) *= count;
  return shape;
}

at::Tensor draw(const schema::NetworkInput& input, std::int64_t count, at::Generator& generator) {
  const at::TensorOptions options = c10::getStringToDtypeMap().at(to_string(input.dtype));
  const schema::Shape shape = joined(input.shape, count);
  if (input.fill == "ones") return at::ones(shape, options);
  if (input.fill == "zeros") return at::zeros(shape, options);
  if (input.fill == "integers") return at::randint(0, input.high, shape, generator, options);
  if (input.fill == "uniform") return at::rand(shape, generator, options);
  if (input.fill == "normal") return at::randn(shape, generator, options);
  throw base::usage_error("input '" + input.name + "': unknown fill '" + input.fill + "'");
}

// Draws class numbers or, for targets of the logits' shape, independent zeros and ones.
at::Tensor draw_target(const schema::NetworkPlan& plan, std::int64_t count, at::Generator& generator) {
  const schema::Shape shape = joined(plan.target_shape, count);
  if (plan.target_dtype == schema::DType::int64)
    return at::randint(0, plan.target_high, shape, generator, at::dtype(at::kLong));
  return at::randint(0, 2, shape, generator, at::dtype(at::kFloat));
}

template <typename Change>
Batch changed(const Batch& batch, const Change& change) {
  Batch copy;
  for (const at::Tensor& input : batch.inputs) copy.inputs.push_back(change(input));
  copy.target = change(batch.target);
  return copy;
}

}  // namespace

Batch first_rows(const Batch& batch, std::int64_t count) {
  return changed(batch, [&](const at::Tensor& all) { return all.narrow(0, 0, std::min(count, all.size(0))); });
}

Batch on_cpu(const Batch& batch) {
  return changed(batch, [](const at::Tensor& tensor) { return tensor.cpu(); });
}

Batch in_type(const Batch& batch, c10::ScalarType type) {
  return changed(batch,
                 [type](const at::Tensor& tensor) { return tensor.is_floating_point() ? tensor.to(type) : tensor; });
}

Batch make_synthetic_batch(const schema::NetworkPlan& plan, std::int64_t seed, const c10::Device& device,
                           const BatchPart& part) {
  const auto part_of = [&part](const at::Tensor& all) {
    const std::int64_t rows = all.size(0) / part.count;
    return all.narrow(0, part.number * rows, rows);
  };
  at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(static_cast<std::uint64_t>(seed));
  Batch batch;
  for (const schema::NetworkInput& input : plan.inputs)
    batch.inputs.push_back(part_of(draw(input, part.count, generator)).to(device));
  batch.target = part_of(draw_target(plan, part.count, generator)).to(device);
  return batch;
}

}  // namespace mpsbench::data
