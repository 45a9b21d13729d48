#include "measure/loop_context.hpp"

#include <array>
#include <limits>
#include <span>

namespace mpsbench::measure {

LoopContext::LoopContext(Step& step, Timer& timer, Observer& observer, Agreement& agreement,
                         const schema::MeasureSpec& spec, const WorkAmount& work, schema::Launch& out)
    : step_(step),
      timer_(timer),
      observer_(observer),
      spec_(spec),
      work_(work),
      out_(out),
      agreement_(agreement),
      losses_(out.losses),
      progress_(observer),
      begin_seconds_(timer.now_seconds()),
      deadline_seconds_(work.is_counted() ? std::numeric_limits<double>::infinity() : spec.max_time_seconds) {}

double LoopContext::largest(double number) {
  agreement_.take_largest(std::span(&number, 1));
  return number;
}

Window LoopContext::slowest(const Window& own) {
  std::array<double, 2> numbers{own.seconds, own.end_seconds - begin_seconds_};
  agreement_.take_largest(numbers);
  return {numbers[0], own.enqueue_seconds, numbers[1]};
}

Window LoopContext::joint(const Window& own) {
  if (timer_.asynchronous() || !agreement_.shares_clock()) return slowest(own);
  std::array<double, 3> numbers{own.end_seconds, own.seconds - own.end_seconds, own.end_seconds - begin_seconds_};
  agreement_.take_largest(numbers);
  return {numbers[0] + numbers[1], own.enqueue_seconds, numbers[2]};
}

void LoopContext::restart_time() {
  if (!work_.is_counted()) deadline_seconds_ = now_seconds() + spec_.max_time_seconds;
}

void LoopContext::run_first_step() {
  first_step_seconds_ = slowest(time_window(step_, timer_, 1)).seconds;
  out_.first_step_seconds = first_step_seconds_;
  losses_.after_warmup(step_, 1);
}

Window LoopContext::run_warmup_window(std::int64_t steps) {
  const Window own = time_window(step_, timer_, steps);
  losses_.after_warmup(step_, steps);
  const Window window = joint(own);
  out_.warmup_samples_seconds.push_back(window.seconds / static_cast<double>(steps));
  progress_.report_warmup(own.end_seconds);
  return window;
}

Window LoopContext::run_growing_sample(std::int64_t steps, const NextPart& next) {
  Window sum;
  double own_seconds = 0;
  std::int64_t done = 0;
  while (steps > 0) {
    const Window own = time_window(step_, timer_, steps);
    const Window part = joint(own);
    own_seconds += own.seconds;
    sum.seconds += part.seconds;
    sum.end_seconds = part.end_seconds;
    done += steps;
    steps = next(part, done);
  }
  out_.steps_per_sample = done;
  out_.samples_seconds.push_back(sum.seconds / static_cast<double>(done));
  if (!out_.ranks.empty()) out_.ranks.front().samples_seconds.push_back(own_seconds / static_cast<double>(done));
  losses_.after_sample(step_);
  observer_.on_window(done);
  progress_.report(out_.samples_seconds, losses_.last(), timer_.now_seconds());
  sum.end_seconds = now_seconds();  // so that the processes begin the next window together
  return sum;
}

Window LoopContext::run_sample_window(std::int64_t steps, std::vector<double>& samples) {
  const Window own = time_window(step_, timer_, steps);
  samples.push_back(own.seconds / static_cast<double>(steps));
  const bool is_latency = &samples != &out_.samples_seconds;
  if (!is_latency && !out_.ranks.empty()) out_.ranks.front().samples_seconds.push_back(samples.back());
  losses_.after_sample(step_);
  observer_.on_window(steps);
  progress_.report(samples, losses_.last(), own.end_seconds);
  // Must come last, so that the processes begin the next window together.
  const Window window = is_latency ? slowest(own) : joint(own);
  samples.back() = window.seconds / static_cast<double>(steps);
  return window;
}

}  // namespace mpsbench::measure
