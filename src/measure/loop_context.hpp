// What the loops of one launch share.
#pragma once

#include "measure/agreement.hpp"
#include "measure/loss_log.hpp"
#include "measure/observer.hpp"
#include "measure/progress.hpp"
#include "measure/step.hpp"
#include "measure/timer.hpp"
#include "measure/window.hpp"
#include "measure/work_amount.hpp"
#include "schema/launch.hpp"
#include "schema/measure_spec.hpp"

#include <cstdint>
#include <vector>

namespace mpsbench::measure {

class LoopContext {
 public:
  // The launch's time runs from here.
  LoopContext(Step& step, Timer& timer, Observer& observer, Agreement& agreement,
              const schema::MeasureSpec& spec, const WorkAmount& work, schema::Launch& out);

  [[nodiscard]] Timer& timer() { return timer_; }
  [[nodiscard]] Observer& observer() { return observer_; }
  [[nodiscard]] const schema::MeasureSpec& spec() const { return spec_; }
  [[nodiscard]] const WorkAmount& work() const { return work_; }
  [[nodiscard]] schema::Launch& out() { return out_; }
  [[nodiscard]] Step& step() { return step_; }

  // What decides is agreed on: NUMBER where it is largest, and the time since the launch began where that is
  // longest.
  [[nodiscard]] double largest(double number);
  [[nodiscard]] double now_seconds() { return largest(timer_.now_seconds() - begin_seconds_); }

  // When the launch's share of the time is used; never with counted work, which has no such limit.
  [[nodiscard]] double deadline_seconds() const { return deadline_seconds_; }
  [[nodiscard]] double remaining_seconds() { return deadline_seconds_ - now_seconds(); }

  // Gives the launch its whole time from now on.
  void restart_time();

  // The very first step, alone.
  void run_first_step();
  [[nodiscard]] double first_step_seconds() const { return first_step_seconds_; }

  // A window, as long as in the slowest process and ended by now_seconds(). This is no sample yet: it is kept
  // among the warm-up's.
  Window run_warmup_window(std::int64_t steps);

  // Likewise, kept in SAMPLES, with its loss and its word to the observer.
  Window run_sample_window(std::int64_t steps, std::vector<double>& samples);

  [[nodiscard]] LossLog& losses() { return losses_; }
  [[nodiscard]] ProgressReporter& progress() { return progress_; }

 private:
  [[nodiscard]] Window agreed(const Window& own);

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
