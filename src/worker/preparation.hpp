// Prepares what a request measures: device, model, data and step.
#pragma once

#include "schema/messages.hpp"
#include "worker/events.hpp"
#include "worker/lap.hpp"
#include "worker/prepared_launch.hpp"

#include <memory>

namespace mpsbench::worker {

class Preparation {
 public:
  // EVENTS receives the phases. LAUNCH receives their times, the back end's state and the result of the
  // clock's self-test; if run() throws, it keeps those so far. REQUEST must outlive what is prepared.
  Preparation(const schema::LaunchRequest& request, Events& events, schema::Launch& launch)
      : request_(&request), events_(&events), launch_(&launch) {}

  // Call this once. Throws UntrustedLaunch if the clock or the output is wrong, and any error of making the
  // parts.
  [[nodiscard]] std::unique_ptr<PreparedLaunch> run();

 private:
  [[nodiscard]] device::Device open_device();
  void make_model(PreparedLaunch& prepared);
  void make_batch(PreparedLaunch& prepared);
  void make_step(PreparedLaunch& prepared);

  [[nodiscard]] bool trains() const { return request_->spec.mode == schema::Mode::train; }

  const schema::LaunchRequest* request_;
  Events* events_;
  schema::Launch* launch_;
  Lap lap_;
};

}  // namespace mpsbench::worker
