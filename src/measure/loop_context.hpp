// The state that the loops of one launch share.
#pragma once

#include "measure/communication.hpp"
#include "measure/progress.hpp"
#include "measure/step.hpp"
#include "measure/timer.hpp"
#include "measure/window.hpp"
#include "measure/work_amount.hpp"
#include "schema/launch.hpp"
#include "schema/measure_spec.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace mpsbench::measure {

class LoopContext {
 public:
  // The launch's time starts here.
  LoopContext(Step& step, Timer& timer, Observer& observer, Agreement& agreement, const schema::MeasureSpec& spec,
              const WorkAmount& work, schema::Launch& out);

  [[nodiscard]] Timer& timer() { return timer_; }
  [[nodiscard]] Observer& observer() { return observer_; }
  [[nodiscard]] const schema::MeasureSpec& spec() const { return spec_; }
  [[nodiscard]] const WorkAmount& work() const { return work_; }
  [[nodiscard]] schema::Launch& out() { return out_; }
  [[nodiscard]] Step& step() { return step_; }

  // The processes of the launch agree on these: the largest NUMBER of any process, and the longest time since
  // the launch began.
  [[nodiscard]] double largest(double number);
  [[nodiscard]] double now_seconds() { return largest(timer_.now_seconds() - begin_seconds_); }

  // Returns when the launch's share of the time is used up. Counted work has no such limit, so the result is
  // infinity.
  [[nodiscard]] double deadline_seconds() const { return deadline_seconds_; }
  [[nodiscard]] double remaining_seconds() { return deadline_seconds_ - now_seconds(); }

  // Restarts the launch's time limit now.
  void restart_time();

  // Runs the very first step in a window without others.
  void run_first_step();
  [[nodiscard]] double first_step_seconds() const { return first_step_seconds_; }

  // Runs a window and keeps it among the warm-up's samples. Returns its time for all processes together; the
  // end is on the clock of now_seconds(). If processes share a CPU, one may have to wait for another before
  // its own window begins, so the time is from the first begin to the last end, as far as they share a clock.
  // Otherwise it is that of the slowest process.
  Window run_warmup_window(std::int64_t steps);

  // Runs a window, keeps it in SAMPLES and its loss in losses(), and reports to the observer. Returns the
  // same times; if SAMPLES are latencies, the time is that of the slowest process.
  Window run_sample_window(std::int64_t steps, std::vector<double>& samples);

  // Runs the first window of the launch's samples in parts: the first has STEPS steps, and NEXT returns those
  // of the following one from the last one's time and the steps so far, or 0 at the end. Sets
  // steps_per_sample.
  using NextPart = std::function<std::int64_t(const Window& part, std::int64_t steps_so_far)>;
  Window run_growing_sample(std::int64_t steps, const NextPart& next);

  [[nodiscard]] LossLog& losses() { return losses_; }
  [[nodiscard]] ProgressReporter& progress() { return progress_; }

 private:
  [[nodiscard]] Window slowest(const Window& own);
  [[nodiscard]] Window joint(const Window& own);

  Step& step_;
  Timer& timer_;
  Observer& observer_;
  const schema::MeasureSpec& spec_;
  const WorkAmount& work_;
  schema::Launch& out_;
  Agreement& agreement_;
  LossLog losses_;
  ProgressReporter progress_;
  double begin_seconds_;  // on the timer's clock
  double deadline_seconds_;
  double first_step_seconds_ = 0;
};

}  // namespace mpsbench::measure
