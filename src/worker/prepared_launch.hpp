// Everything that a launch needs to measure.
#pragma once

#include "collective/gradient_buckets.hpp"
#include "collective/group.hpp"
#include "device/device.hpp"
#include "input/data/batches.hpp"
#include "measure/step.hpp"
#include "nn/model.hpp"
#include "nn/model_files.hpp"
#include "schema/launch.hpp"
#include "schema/messages.hpp"
#include "step/evidence.hpp"
#include "step/feed.hpp"
#include "step/generation.hpp"
#include "step/train_step.hpp"
#include "worker/front.hpp"

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace mpsbench::worker {

// Thrown if a launch's results cannot be trusted. What it found so far is kept.
struct UntrustedLaunch : std::exception {
  explicit UntrustedLaunch(schema::Failure why) : failure(std::move(why)) {}
  schema::Failure failure;
};

// Gives all processes of a group the same gradients.
class AveragedGradients final : public step::GradientHook {
 public:
  // GROUP must outlive this object.
  AveragedGradients(collective::Group& group, const std::vector<at::Tensor>& parameters,
                    const collective::BucketOptions& options)
      : buckets_(group, parameters, options) {}

  // While the average of a bucket is on its way, the parameters of those before it are updated.
  [[nodiscard]] std::vector<std::vector<at::Tensor>> parts_of(
      const std::vector<at::Tensor>& /*parameters*/) const override {
    return buckets_.parameters();
  }
  void apply(const std::vector<at::Tensor>& /*parameters*/) override { buckets_.finish_next(); }

  [[nodiscard]] collective::GradientBuckets& buckets() { return buckets_; }

 private:
  collective::GradientBuckets buckets_;
};

// Averages gradients, and nothing else.
class AverageStep final : public measure::Step {
 public:
  // BUCKETS must have averaged before, and outlive this object.
  explicit AverageStep(collective::GradientBuckets& buckets) : buckets_(&buckets) {}

  void run() override { buckets_->average_again(); }
  std::optional<double> loss() override { return std::nullopt; }

 private:
  collective::GradientBuckets* buckets_;
};

// prepare() fills the members in this order, because each refers to those above it.
struct PreparedLaunch {
  explicit PreparedLaunch(const schema::LaunchRequest& of, const device::Device& opened)
      : request(&of), device(opened), timer(device) {}
  PreparedLaunch(const PreparedLaunch&) = delete;
  PreparedLaunch& operator=(const PreparedLaunch&) = delete;

  // Runs the steps and fills LAUNCH. If a step throws, LAUNCH keeps what was measured until then.
  void measure(Events& events, schema::Launch& launch);
  // Writes and checks the results of the first step, once. Throws UntrustedLaunch if they are wrong.
  void use_evidence();
  // Measures what averaging the gradients costs. Training goes on without it, so the ranks' weights drift apart.
  void measure_averaging(schema::Launch& launch);

  const schema::LaunchRequest* request;
  device::Device device;
  device::DeviceTimer timer;
  std::unique_ptr<collective::Group> group;  // null: this process runs the launch alone
  std::unique_ptr<nn::Model> model;
  std::optional<nn::Parameters> unquantized;     // on the CPU, until the output was compared
  data::Batch batch;                             // resident on the device
  std::unique_ptr<nn::Package> package;          // null: the engine runs the network's layers
  std::unique_ptr<nn::Package> check_package;    // the same without dropout; null: the network has none
  std::optional<step::Evidence> evidence;        // in inference and for --dump-first-step, until it is used
  std::unique_ptr<AveragedGradients> averaged;   // null: no group, or nothing trains
  std::unique_ptr<step::Generation> generation;  // null: a step processes the batch, instead of continuing it
  std::unique_ptr<measure::Step> step;           // runs on the resident batch; null if tokens are generated
  // Makes the same step without averaging; only if averaged is not null.
  std::function<std::unique_ptr<measure::Step>()> make_step_alone;
  std::unique_ptr<step::Feed> feed;  // null if batches are not fed
};

// Prepares what REQUEST measures: device, model, data and step. EVENTS receives the phases. LAUNCH receives
// their times, the back end's state and the result of the clock's self-test; if this throws, it keeps those so
// far. REQUEST must outlive what is prepared. Throws UntrustedLaunch if the clock or the output is wrong, and
// any error of making the parts.
[[nodiscard]] std::unique_ptr<PreparedLaunch> prepare(const schema::LaunchRequest& request, Events& events,
                                                      schema::Launch& launch);

}  // namespace mpsbench::worker
