#include "measure/session.hpp"

#include <limits>

namespace mpsbench::measure {

Session::Session(Step& step, Timer& timer, Observer& observer, const schema::MeasureSpec& spec,
                 const WorkPlan& work, schema::Launch& out)
    : step_(step),
      timer_(timer),
      observer_(observer),
      spec_(spec),
      work_(work),
      out_(out),
      losses_(out.losses),
      progress_(observer),
      deadline_seconds_(work.is_counted() ? std::numeric_limits<double>::infinity()
                                          : timer.now_seconds() + spec.max_time_seconds) {}

void Session::restart_time() {
  if (!work_.is_counted()) deadline_seconds_ = timer_.now_seconds() + spec_.max_time_seconds;
}

void Session::run_first_step() {
  first_step_seconds_ = time_window(step_, timer_, 1).seconds;
  out_.first_step_seconds = first_step_seconds_;
  losses_.after_warmup(step_, 1);
}

Window Session::run_warmup_window(std::int64_t steps) {
  const Window window = time_window(step_, timer_, steps);
  out_.warmup_samples_seconds.push_back(window.seconds / static_cast<double>(steps));
  losses_.after_warmup(step_, steps);
  return window;
}

Window Session::run_sample_window(std::int64_t steps, std::vector<double>& samples) {
  const Window window = time_window(step_, timer_, steps);
  samples.push_back(window.seconds / static_cast<double>(steps));
  losses_.after_sample(step_);
  observer_.on_window(steps);
  progress_.report(samples, losses_.last(), window.end_seconds);
  return window;
}

}  // namespace mpsbench::measure
