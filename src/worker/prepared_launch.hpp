// Everything that a launch needs to measure.
#pragma once

#include "collective/group.hpp"
#include "data/synthetic.hpp"
#include "device/device.hpp"
#include "measure/step.hpp"
#include "nn/model.hpp"
#include "nn/package.hpp"
#include "schema/messages.hpp"
#include "step/evidence.hpp"
#include "step/feed.hpp"
#include "worker/averaged_gradients.hpp"
#include "worker/device_timer.hpp"
#include "worker/events.hpp"

#include <functional>
#include <memory>
#include <optional>

namespace mpsbench::worker {

// Preparation fills the members in this order, because each refers to those above it.
struct PreparedLaunch {
  explicit PreparedLaunch(const schema::LaunchRequest& of, const device::Device& opened)
      : request(&of), device(opened), timer(device) {}
  PreparedLaunch(const PreparedLaunch&) = delete;
  PreparedLaunch& operator=(const PreparedLaunch&) = delete;

  // Runs the steps and fills LAUNCH. If a step throws, LAUNCH keeps what was measured until then.
  void measure(Events& events, schema::Launch& launch);
  // Writes and checks the results of the first step, once. Throws UntrustedLaunch if they are wrong.
  void use_evidence();
  // Measures what averaging the gradients costs. Training goes on without it, so the ranks' weights drift
  // apart.
  void measure_averaging(schema::Launch& launch);

  const schema::LaunchRequest* request;
  device::Device device;
  DeviceTimer timer;
  std::unique_ptr<collective::Group> group;  // null: this process runs the launch alone
  std::unique_ptr<nn::Model> model;
  data::Batch batch;                            // resident on the device
  std::unique_ptr<nn::Package> package;         // null: the engine runs the network's layers
  std::unique_ptr<nn::Package> check_package;   // the same without dropout; null: the network has none
  std::optional<step::Evidence> evidence;       // in inference and for --dump-first-step, until it is used
  std::unique_ptr<AveragedGradients> averaged;  // null: no group, or nothing trains
  std::unique_ptr<measure::Step> step;          // runs on the resident batch
  // Makes the same step without averaging; only if averaged is not null.
  std::function<std::unique_ptr<measure::Step>()> make_step_alone;
  std::unique_ptr<step::Feed> feed;  // null if batches are not fed
};

}  // namespace mpsbench::worker
