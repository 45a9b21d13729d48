// From a request to what it measures: device, model, data, step.
#pragma once

#include "schema/messages.hpp"
#include "worker/events.hpp"
#include "worker/lap.hpp"
#include "worker/prepared_launch.hpp"

#include <memory>

namespace mpsbench::worker {

class Preparation {
 public:
  // EVENTS hears of the phases; LAUNCH gets their times, the back end's state and the proof of the clock, as
  // far as they come. REQUEST must outlive what is prepared.
  Preparation(const schema::LaunchRequest& request, Events& events, schema::Launch& launch)
      : request_(&request), events_(&events), launch_(&launch) {}

  // Once. Throws UntrustedLaunch, and as those who make the parts do.
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
