// How much work a launch times, and the state that its loops share.
#pragma once

#include "measure/communication.hpp"
#include "measure/progress.hpp"
#include "measure/step.hpp"
#include "measure/timer.hpp"
#include "schema/case_spec.hpp"
#include "schema/launch.hpp"
#include "schema/measure_spec.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace mpsbench::measure {

struct WorkAmount {
  std::optional<std::int64_t> epochs;       // whole epochs to measure; null: steps until the stopping rule is met
  std::int64_t steps_per_epoch = 0;         // used with epochs
  std::int64_t rows_per_epoch = 0;          // used with epochs: rows of the data set that an epoch covers
  bool last_is_smaller = false;             // an epoch ends with a batch that is not full
  std::optional<std::int64_t> iterations;   // steps of one loop, without epochs
  std::optional<std::int64_t> max_batches;  // most timed steps, without either
  // The published loop needs epochs or iterations.
  bool as_published = false;
  bool reads_losses = false;  // after every step, as the published scripts do

  // Whether the amount of work is given, and the time is not limited.
  [[nodiscard]] bool is_counted() const { return epochs || iterations; }
  // Whether a loop of STEPS steps ends with one that has fewer rows. It has a window of its own, which counts
  // in the loop's time but is no sample. Without other steps it is a sample like any.
  [[nodiscard]] bool has_smaller_step(std::int64_t steps) const { return last_is_smaller && steps > 1; }
};

// An epoch has schema::steps_per_epoch() steps, but at most max_batches. Unless the last batch is kept, all
// batches are full: instead of a last batch that is not full, inference takes the first batch of the next
// epoch. Throws Error(usage) if the case has epochs but not enough rows: training needs a
// full batch, inference a row.
[[nodiscard]] WorkAmount work_amount(const schema::CaseSpec& spec);

// The state that the loops of one launch share.
class LoopContext {
 public:
  // The launch's time starts here.
  LoopContext(Step& measured, Timer& clock, Observer& listener, Agreement& agreement, const schema::MeasureSpec& rules,
              const WorkAmount& amount, schema::Launch& launch);

  Step& step;
  Timer& timer;
  Observer& observer;
  const schema::MeasureSpec& spec;
  const WorkAmount& work;
  schema::Launch& out;
  LossLog losses;
  ProgressReporter progress;

  // The processes of the launch agree on these: the largest NUMBER of any process, and the longest time since
  // the launch began.
  [[nodiscard]] double largest(double number);
  [[nodiscard]] double now_seconds() { return largest(timer.now_seconds() - begin_seconds_); }

  // When the launch's share of the time is used up; infinity for counted work.
  [[nodiscard]] double deadline_seconds() const { return deadline_seconds_; }
  [[nodiscard]] double remaining_seconds() { return deadline_seconds_ - now_seconds(); }

  // Restarts the launch's time limit now.
  void restart_time();

  // Runs the very first step in a window without others.
  void run_first_step();
  [[nodiscard]] double first_step_seconds() const { return first_step_seconds_; }

  // Runs a window and keeps it among the warm-up's samples. Returns its time for all processes together: from the
  // first begin to the last end if they share a CPU and a clock (one may wait for another), otherwise that of the
  // slowest. The end is on the clock of now_seconds().
  Window run_warmup_window(std::int64_t steps);

  // Runs a window, keeps it in SAMPLES and its loss in losses, and reports to the observer. Returns the
  // same times; if SAMPLES are latencies, the time is that of the slowest process.
  Window run_sample_window(std::int64_t steps, std::vector<double>& samples);

  // Runs the first window of the launch's samples in parts: the first has STEPS steps, and NEXT returns those
  // of the following one from the last one's time and the steps so far, or 0 at the end. Sets
  // steps_per_sample.
  using NextPart = std::function<std::int64_t(const Window& part, std::int64_t steps_so_far)>;
  Window run_growing_sample(std::int64_t steps, const NextPart& next);

 private:
  // Runs a window, again if a signal stopped the launch's only process meanwhile, at most twice.
  Window window(std::int64_t steps);
  [[nodiscard]] Window slowest(const Window& own);
  [[nodiscard]] Window joint(const Window& own);

  Agreement& agreement_;
  double begin_seconds_;  // on the timer's clock
  double deadline_seconds_;
  double first_step_seconds_ = 0;
};

}  // namespace mpsbench::measure
