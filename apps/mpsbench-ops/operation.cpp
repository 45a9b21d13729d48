#include "operation.hpp"

#include "base/clock.hpp"

#include <ATen/core/Tensor.h>
#include <ATen/ops/add.h>
#include <ATen/ops/avg_pool2d.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/scaled_dot_product_attention.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace mpsbench::ops {
namespace {

using Shape = std::vector<std::int64_t>;
using Tensors = std::vector<at::Tensor>;

// A differentiable operation on inputs of the given shapes.
struct Function {
  std::string name;
  std::string size;
  std::vector<Shape> inputs;
  std::function<at::Tensor(const Tensors&)> apply;
  double macs = 0;  // 0: its cost is memory traffic
};

// Chosen so that an operation fills a device but ends in a reasonable time on slow ones.
struct Sizes {
  std::vector<std::int64_t> matmul;
  std::int64_t images, sentences, heads, tokens;
  std::int64_t mebibytes;  // of a tensor that is much larger than any cache
};

Sizes sizes_for(const device::Device& device) {
  if (device.torch().is_cpu()) return {{256, 1024, 2048}, 4, 2, 12, 128, 64};
  return {{1024, 2048, 4096, 8192}, 64, 16, 16, 1024, 512};
}

std::string words(const Shape& shape) {
  std::string text;
  for (const std::int64_t size : shape) text += (text.empty() ? "" : "x") + std::to_string(size);
  return text;
}

double product(const Shape& shape) {
  double result = 1;
  for (const std::int64_t size : shape) result *= static_cast<double>(size);
  return result;
}

Function matmul(std::int64_t size) {
  return {"matmul",
          std::to_string(size),
          {{size, size}, {size, size}},
          [](const Tensors& in) { return at::mm(in[0], in[1]); },
          product({size, size, size})};
}

// Returns a fully connected layer: x·Wᵀ + b.
Function linear(std::int64_t rows, std::int64_t inputs, std::int64_t outputs) {
  return {"linear",
          words({rows, inputs}) + "/" + std::to_string(outputs),
          {{rows, inputs}, {outputs, inputs}, {outputs}},
          [](const Tensors& in) { return at::linear(in[0], in[1], in[2]); },
          product({rows, inputs, outputs})};
}

// Returns a KERNEL x KERNEL convolution with equal sizes and numbers of channels on both sides.
Function conv2d(const Shape& images, std::int64_t kernel) {
  const std::int64_t channels = images[1];
  const Shape weight{channels, channels, kernel, kernel};
  return {"conv2d",
          words(images) + "/" + words({kernel, kernel}),
          {images, weight},
          [kernel](const Tensors& in) { return at::conv2d(in[0], in[1], {}, 1, kernel / 2); },
          product(images) * product(weight) / static_cast<double>(channels)};
}

Function attention(const Shape& heads) {
  return {"attention",
          words(heads),
          {heads, heads, heads},
          [](const Tensors& in) { return at::scaled_dot_product_attention(in[0], in[1], in[2]); },
          2 * product(heads) * static_cast<double>(heads[2])};
}

std::vector<Function> products(const Sizes& sizes) {
  std::vector<Function> all;
  for (const std::int64_t size : sizes.matmul) all.push_back(matmul(size));
  all.push_back(linear(sizes.images, 4096, 4096));  // of VGG's classifier
  constexpr std::int64_t kWidth = 768;
  all.push_back(linear(sizes.sentences * sizes.tokens, kWidth, 4 * kWidth));  // of BERT's feed-forward blocks
  for (const std::int64_t kernel : {1, 3}) all.push_back(conv2d({sizes.images, 64, 56, 56}, kernel));
  all.push_back(attention({sizes.sentences, sizes.heads, sizes.tokens, 64}));
  return all;
}

std::vector<Function> memory_bound(const Sizes& sizes) {
  const Shape images{sizes.images, 64, 56, 56};
  const Shape sentences{sizes.sentences, sizes.tokens, sizes.heads * 64};
  const auto over = [](std::string name, const Shape& input, std::function<at::Tensor(const Tensors&)> apply) {
    return Function{std::move(name), words(input), {input}, std::move(apply)};
  };
  Function batch_norm = over("batch_norm", images, [](const Tensors& in) {
    return at::batch_norm(in[0], in[1], in[2], {}, {}, true, 0.1, 1e-5, true);
  });
  batch_norm.inputs.insert(batch_norm.inputs.end(), {{images[1]}, {images[1]}});
  Function layer_norm = over("layer_norm", sentences,
                             [](const Tensors& in) { return at::layer_norm(in[0], in[1].sizes(), in[1], in[2]); });
  layer_norm.inputs.insert(layer_norm.inputs.end(), {{sentences[2]}, {sentences[2]}});
  return {batch_norm,
          layer_norm,
          over("max_pool2d", images, [](const Tensors& in) { return at::max_pool2d(in[0], {2, 2}); }),
          over("avg_pool2d", images, [](const Tensors& in) { return at::avg_pool2d(in[0], {2, 2}); }),
          over("relu", images, [](const Tensors& in) { return at::relu(in[0]); }),
          over("gelu", sentences, [](const Tensors& in) { return at::gelu(in[0]); })};
}

// Writes into memory that is already allocated: otherwise the time would include touching new pages.
Operation add_tensors(const device::Device& device, std::int64_t mebibytes) {
  const auto ones = [&] { return fp32_ones(mebibytes * kFp32OfMebibyte, device.torch()); };
  Operation operation{.bytes = 3 * static_cast<double>(mebibytes << 20)};
  operation.run = [left = ones(), right = ones(), sum = ones()]() mutable { at::add_out(sum, left, right); };
  return operation;
}

Tensors draw(const Function& function, const Benchmark& benchmark, bool with_gradients) {
  const c10::ScalarType type = step::autocast_type(benchmark.precision).value_or(c10::ScalarType::Float);
  const at::TensorOptions options = at::TensorOptions().dtype(type).device(benchmark.device->torch());
  Tensors inputs;
  for (const Shape& shape : function.inputs) inputs.push_back(at::randn(shape, options).requires_grad_(with_gradients));
  return inputs;
}

Operation forward(const Function& function, const Benchmark& benchmark) {
  Tensors inputs = draw(function, benchmark, false);
  Operation operation{.flops = 2 * function.macs};
  if (function.macs == 0) {
    operation.bytes = static_cast<double>(function.apply(inputs).nbytes());
    for (const at::Tensor& input : inputs) operation.bytes += static_cast<double>(input.nbytes());
  }
  operation.run = [inputs = std::move(inputs), apply = function.apply] { apply(inputs); };
  return operation;
}

// Records one forward pass. Each run goes back through it, to the gradients of all inputs.
Operation backward(const Function& function, const Benchmark& benchmark) {
  Tensors inputs = draw(function, benchmark, true);
  const at::Tensor output = function.apply(inputs);
  const at::Tensor gradient = at::ones_like(output);
  // The gradient of each input costs as much as the forward pass.
  Operation operation{.flops = 4 * function.macs};
  operation.run = [inputs = std::move(inputs), output, gradient] {
    output.backward(gradient, /*retain_graph=*/true);
    for (const at::Tensor& input : inputs) input.mutable_grad().reset();
  };
  return operation;
}

void add(std::vector<Benchmark>& all, const Target& target, schema::Precision precision, const Function& function) {
  const std::string place = "/" + target.name + "/" + to_string(precision) + "/" + function.size;
  for (const auto& [suffix, make] : {std::pair{"", &forward}, std::pair{"_backward", &backward}}) {
    Benchmark benchmark{function.name + suffix + place, target.device, precision, {}};
    benchmark.make = [function, pass = make, benchmark] { return pass(function, benchmark); };
    all.push_back(std::move(benchmark));
  }
}

// Leaves out fp16 on the CPU, where its products are a hundred times slower.
std::vector<schema::Precision> precisions(const device::Device& device) {
  std::vector<schema::Precision> all;
  for (const auto& row : schema::ClosedSet<schema::Precision>::kRows) {
    const bool slow = row.value == schema::Precision::fp16 && device.torch().is_cpu();
    const bool absent = row.value == schema::Precision::tf32 && !device.capabilities().tf32;
    if (!slow && !absent && row.kernels == row.value) all.push_back(row.value);
  }
  return all;
}

// If PINNED, the host's side is memory that the device accesses directly.
Operation copy(const device::Device& device, bool to_host, bool pinned, std::int64_t mebibytes) {
  const std::int64_t count = mebibytes * kFp32OfMebibyte;
  const at::Tensor here = fp32_ones(count, c10::kCPU, pinned);
  const at::Tensor there = fp32_ones(count, device.torch());
  Operation operation{.bytes = static_cast<double>(here.nbytes())};
  operation.run = [here, there, to_host] { (to_host ? here : there).copy_(to_host ? there : here); };
  return operation;
}

std::function<void()> smallest(const device::Device& device) {
  const at::Tensor number = fp32_ones(1, device.torch());
  return [number] { number.add_(1); };
}

void add_copies(std::vector<Benchmark>& all, const Target& target) {
  const device::Device* device = target.device;
  for (const bool to_host : {false, true}) {
    for (const bool pinned : {false, true}) {
      if (pinned && !device->torch().is_cuda()) continue;
      for (const std::int64_t mebibytes : {1, 64}) {
        const std::string name = std::string(to_host ? "copy_to_host/" : "copy_to_device/") + target.name +
                                 (pinned ? "/pinned/" : "/pageable/") + std::to_string(mebibytes) + "MiB";
        all.push_back({name, device, step::Precision::fp32, [=] { return copy(*device, to_host, pinned, mebibytes); }});
      }
    }
  }
}

}  // namespace

std::vector<Benchmark> function_benchmarks(const Target& target) {
  const Sizes sizes = sizes_for(*target.device);
  std::vector<Benchmark> all;
  for (const schema::Precision precision : precisions(*target.device)) {
    for (const Function& function : products(sizes)) add(all, target, precision, function);
  }
  for (const Function& function : memory_bound(sizes)) add(all, target, schema::Precision::fp32, function);
  const device::Device* device = target.device;
  all.push_back({"add/" + target.name + "/fp32/" + std::to_string(sizes.mebibytes) + "MiB", device,
                 step::Precision::fp32, [=] { return add_tensors(*device, sizes.mebibytes); }});
  return all;
}

std::vector<Benchmark> transfer_benchmarks(const Target& target) {
  const device::Device* device = target.device;
  std::vector<Benchmark> all;
  all.push_back({"launch/" + target.name, device, step::Precision::fp32, [=] {
                   return Operation{[device, run = smallest(*device)] {
                     run();
                     device->synchronize();
                   }};
                 }});
  if (!device->asynchronous()) return all;
  all.push_back({"synchronize/" + target.name, device, step::Precision::fp32,
                 [=] { return Operation{[device] { device->synchronize(); }}; }});
  add_copies(all, target);
  return all;
}

double round_trip_seconds(const device::Device& device) {
  constexpr int kTries = 20;
  const std::function<void()> run = smallest(device);
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kTries; ++i) {
    device.synchronize();
    const double start = base::steady_seconds();
    run();
    device.synchronize();
    best = std::min(best, base::steady_seconds() - start);
  }
  return best;
}

at::Tensor fp32_ones(std::int64_t count, const c10::Device& device, bool pinned) {
  return at::ones({count}, at::TensorOptions().dtype(c10::ScalarType::Float).device(device).pinned_memory(pinned));
}

}  // namespace mpsbench::ops
