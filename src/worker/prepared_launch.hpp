// All that a launch measures, made and in its place.
#pragma once

#include "data/synthetic.hpp"
#include "device/device.hpp"
#include "measure/step.hpp"
#include "nn/model.hpp"
#include "schema/messages.hpp"
#include "step/evidence.hpp"
#include "step/feed.hpp"
#include "worker/device_timer.hpp"
#include "worker/events.hpp"

#include <memory>
#include <optional>

namespace mpsbench::worker {

// Preparation fills it in this order: each part refers to those above it.
struct PreparedLaunch {
  explicit PreparedLaunch(const schema::LaunchRequest& of, const device::Device& opened)
      : request(&of), device(opened), timer(device) {}
  PreparedLaunch(const PreparedLaunch&) = delete;
  PreparedLaunch& operator=(const PreparedLaunch&) = delete;

  // Takes the steps and fills LAUNCH as far as it comes.
  void measure(Events& events, schema::Launch& launch);

  const schema::LaunchRequest* request;
  device::Device device;
  DeviceTimer timer;
  std::unique_ptr<nn::Model> model;
  data::Batch batch;                       // resident on the device
  std::optional<step::Evidence> evidence;  // where the first step is asked for
  std::unique_ptr<measure::Step> step;     // over the resident batch
  std::unique_ptr<step::Feed> feed;        // null: nothing feeds the batch
};

}  // namespace mpsbench::worker
