// Prepares what a request measures: device, model, data and step.
#pragma once

#include "base/clock.hpp"
#include "schema/messages.hpp"
#include "worker/channel.hpp"
#include "worker/prepared_launch.hpp"

#include <memory>
#include <utility>

namespace mpsbench::worker {

// Measures the seconds between calls, for the phases of set-up.
class Lap {
 public:
  // Returns the seconds since the last call; the first call returns those since the object was made.
  double operator()() {
    const double now = base::steady_seconds();
    return now - std::exchange(last_, now);
  }

 private:
  double last_ = base::steady_seconds();
};

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

  [[nodiscard]] bool trains() const { return row_of(request_->spec.mode).trains; }

  const schema::LaunchRequest* request_;
  Events* events_;
  schema::Launch* launch_;
  Lap lap_;
};

}  // namespace mpsbench::worker
