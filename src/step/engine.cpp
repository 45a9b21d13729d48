#include "step/engine.hpp"

#include "base/error.hpp"
#include "device/kinds.hpp"
#include "device/libtorch_errors.hpp"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <c10/util/Exception.h>

#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace mpsbench::step {
namespace {

// A step that is captured once as a CUDA graph and then replayed: the host starts one graph instead of
// hundreds of kernels. The first steps run EAGER unchanged on a separate stream. The next step is captured,
// and all later ones replay it. So step i computes the same as step i of EAGER. A step throws
// Error(no_device) if EAGER cannot be captured.
class GraphStep final : public measure::Step {
 public:
  GraphStep(std::unique_ptr<measure::Step> eager, const c10::Device& device)
      : eager_(std::move(eager)),
        stream_(c10::impl::VirtualGuardImpl(device.type()).getStreamFromGlobalPool(device)),
        current_(stream_) {
    // This stream uses results of the previous one.
    c10::impl::VirtualGuardImpl(device.type()).synchronizeDevice(device.index());
  }

  void run() override {
    if (steps_ < kEagerSteps) {
      eager_->run();
    } else {
      if (steps_ == kEagerSteps) capture();
      graph_->replay();
    }
    ++steps_;
  }

  std::optional<double> loss() override { return eager_->loss(); }

  // The other eager steps and the captured one. The first step is not counted.
  [[nodiscard]] std::int64_t preparation_steps() const override { return kEagerSteps; }

 private:
  static constexpr std::int64_t kEagerSteps = schema::kStepsBeforeCapture;

  void capture() {
    const c10::impl::VirtualGuardImpl device(stream_.device_type());
    device.synchronizeDevice(stream_.device_index());
    // The capture allocates from a separate pool and cannot reuse what the eager steps left in theirs.
    at::getDeviceAllocator(stream_.device_type())->emptyCache();
    try {
      graph_ = step::capture([this] { eager_->run(); });
    } catch (const c10::Error& error) {
      const std::string words = error.what_without_backtrace();
      if (device::says_out_of_memory(words)) throw;
      throw base::Error(base::ErrorKind::no_device, "this step cannot be captured as a CUDA graph (" +
                                                        base::first_line(words) + "); use --engine eager");
    }
  }

  std::unique_ptr<measure::Step> eager_;
  c10::Stream stream_;
  c10::StreamGuard current_;  // makes stream_ current: a capture needs a separate stream, and events are recorded on it
  std::unique_ptr<CapturedGraph> graph_;
  std::int64_t steps_ = 0;
};

using Tensors = std::vector<at::Tensor>;

// The parameters and buffers come first among the arguments of every function. The batch is looked up in each step,
// because the feed of the CPU exchanges its tensors.
Tensors arguments(const Tensors& tensors, const data::Batch& batch) {
  Tensors all = tensors;
  all.insert(all.end(), batch.inputs.begin(), batch.inputs.end());
  return all;
}

class PackagedPass final : public TrainingPass {
 public:
  PackagedPass(const nn::Package& package, nn::Model& model, const data::Batch& batch)
      : model_(&model),
        batch_(&batch),
        trainable_(model.parameters().trainable()),
        tensors_(model.parameters().detached()),
        forward_(package.load("forward", batch.target.device())),
        backward_(package.load("backward", batch.target.device())),
        one_(at::ones({}, at::device(batch.target.device()).dtype(at::kFloat))) {}

  PassResults forward() override {
    const at::NoGradGuard no_grad;
    Tensors inputs = arguments(tensors_, *batch_);
    inputs.push_back(batch_->target);
    Tensors outputs = forward_(std::move(inputs));
    PassResults results{.logits = std::move(outputs.at(1)), .loss = std::move(outputs.at(0))};
    model_->on_logits(results.logits);
    saved_.assign(std::make_move_iterator(outputs.begin() + 2), std::make_move_iterator(outputs.end()));
    return results;
  }

  void backward(const at::Tensor& /*loss*/, const std::optional<at::Tensor>& scale) override {
    const at::NoGradGuard no_grad;
    saved_.push_back(scale.value_or(one_));
    const Tensors gradients = backward_(std::move(saved_));
    saved_.clear();
    if (gradients.size() != trainable_.size())
      throw base::usage_error("the package has not one gradient for each parameter that trains; use --engine eager");
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      at::Tensor& gradient = trainable_[i].mutable_grad();
      if (gradient.defined()) {
        gradient.add_(gradients[i]);
      } else {
        gradient = gradients[i];
      }
    }
  }

 private:
  nn::Model* model_;
  const data::Batch* batch_;
  Tensors trainable_;
  Tensors tensors_;
  nn::PackageFunction forward_, backward_;
  at::Tensor one_;
  Tensors saved_;
};

}  // namespace

std::string why_no_engine(schema::DeviceKind kind, schema::Engine engine) {
  const schema::EngineRow& row = row_of(engine);
  if (!row.captured || device::capabilities_of(kind).graphs) return "";
  return "--engine " + to_string(engine) + " replays CUDA graphs, which " + to_string(kind) +
         " does not have; use --engine " + to_string(row.packaged ? schema::Engine::compiled : schema::Engine::eager);
}

std::unique_ptr<measure::Step> make_engine_step(schema::Engine engine, std::unique_ptr<measure::Step> step,
                                                const device::Device& device) {
  if (const std::string reason = why_no_engine(device.kind(), engine); !reason.empty())
    throw base::Error(base::ErrorKind::no_device, reason);
  if (!row_of(engine).captured) return step;
  return std::make_unique<GraphStep>(std::move(step), device.torch());
}

ForwardPass make_packaged_forward(const nn::Package& package, nn::Model& model, const data::Batch& batch) {
  return [&model, &batch, tensors = model.parameters().detached(),
          forward = package.load("forward", batch.inputs.at(0).device())] {
    at::Tensor logits = forward(arguments(tensors, batch)).at(0);
    model.on_logits(logits);
    return logits;
  };
}

std::unique_ptr<TrainingPass> make_packaged_pass(const nn::Package& package, nn::Model& model,
                                                 const data::Batch& batch) {
  return std::make_unique<PackagedPass>(package, model, batch);
}

}  // namespace mpsbench::step
