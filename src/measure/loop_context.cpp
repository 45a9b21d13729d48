#include "measure/loop_context.hpp"

#include "base/clock.hpp"
#include "base/error.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <string>

namespace mpsbench::measure {

namespace {

constexpr int kMostTries = 3;

}

WorkAmount work_amount(const schema::CaseSpec& spec) {
  WorkAmount work;
  work.epochs = spec.epochs;
  work.iterations = spec.iterations;
  work.max_batches = spec.max_batches;
  work.as_published = spec.as_published;
  work.reads_losses = schema::reads_each_loss(spec);
  if (!spec.epochs) return work;
  const std::int64_t steps = schema::steps_per_epoch(spec);
  work.steps_per_epoch = std::min(steps, spec.max_batches.value_or(steps));
  if (work.steps_per_epoch < 1) {
    throw base::usage_error("--epochs: " + std::to_string(spec.rows) + " rows are not enough for one step of " +
                            std::to_string(schema::rows_per_step(spec)) + "; raise --rows or lower --batch-size");
  }
  const bool all_steps = work.steps_per_epoch > spec.rows / schema::rows_per_step(spec);
  work.last_is_smaller = all_steps && spec.last_batch == schema::LastBatch::keep;
  work.rows_per_epoch = all_steps ? spec.rows : work.steps_per_epoch * schema::rows_per_step(spec);
  return work;
}

LoopContext::LoopContext(Step& measured, Timer& clock, Observer& listener, Agreement& agreement,
                         const schema::MeasureSpec& rules, const WorkAmount& amount, schema::Launch& launch)
    : step(measured),
      timer(clock),
      observer(listener),
      spec(rules),
      work(amount),
      out(launch),
      losses(launch.losses),
      progress(listener),
      agreement_(agreement),
      begin_seconds_(clock.now_seconds()),
      deadline_seconds_(amount.is_counted() ? std::numeric_limits<double>::infinity() : rules.max_time_seconds) {}

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
  if (timer.asynchronous() || !agreement_.shares_clock()) return slowest(own);
  std::array<double, 3> numbers{own.end_seconds, own.seconds - own.end_seconds, own.end_seconds - begin_seconds_};
  agreement_.take_largest(numbers);
  return {numbers[0] + numbers[1], own.enqueue_seconds, numbers[2]};
}

void LoopContext::restart_time() {
  if (!work.is_counted()) deadline_seconds_ = now_seconds() + spec.max_time_seconds;
}

void LoopContext::run_first_step() {
  first_step_seconds_ = slowest(time_window(step, timer, 1)).seconds;
  out.first_step_seconds = first_step_seconds_;
  losses.after_warmup(step, 1);
}

// Other processes of a launch wait for one that is stopped, so their windows would have to be repeated, too. And a
// program that stops this one all the time, to limit its use of the CPU, stops nearly every window.
Window LoopContext::window(std::int64_t steps) {
  for (int tries = 1;; ++tries) {
    const int before = base::times_continued();
    const Window one = time_window(step, timer, steps);
    if (base::times_continued() == before || !out.ranks.empty() || tries == kMostTries) return one;
    observer.on_window(steps);
  }
}

Window LoopContext::run_warmup_window(std::int64_t steps) {
  const Window own = window(steps);
  losses.after_warmup(step, steps);
  const Window all = joint(own);
  out.warmup_samples_seconds.push_back(all.seconds / static_cast<double>(steps));
  progress.report_warmup(own.end_seconds);
  return all;
}

Window LoopContext::run_growing_sample(std::int64_t steps, const NextPart& next) {
  Window sum;
  double own_seconds = 0;
  std::int64_t done = 0;
  while (steps > 0) {
    const Window own = window(steps);
    const Window part = joint(own);
    own_seconds += own.seconds;
    sum.seconds += part.seconds;
    sum.end_seconds = part.end_seconds;
    done += steps;
    steps = next(part, done);
  }
  out.steps_per_sample = done;
  out.samples_seconds.push_back(sum.seconds / static_cast<double>(done));
  if (!out.ranks.empty()) out.ranks.front().samples_seconds.push_back(own_seconds / static_cast<double>(done));
  losses.after_sample(step);
  observer.on_window(done);
  progress.report(out.samples_seconds, losses.last(), timer.now_seconds());
  sum.end_seconds = now_seconds();  // so that the processes begin the next window together
  return sum;
}

Window LoopContext::run_sample_window(std::int64_t steps, std::vector<double>& samples) {
  const Window own = window(steps);
  samples.push_back(own.seconds / static_cast<double>(steps));
  const bool is_latency = &samples != &out.samples_seconds;
  if (!is_latency && !out.ranks.empty()) out.ranks.front().samples_seconds.push_back(samples.back());
  losses.after_sample(step);
  observer.on_window(steps);
  progress.report(samples, losses.last(), own.end_seconds);
  // Must come last, so that the processes begin the next window together.
  const Window all = is_latency ? slowest(own) : joint(own);
  samples.back() = all.seconds / static_cast<double>(steps);
  return all;
}

}  // namespace mpsbench::measure
