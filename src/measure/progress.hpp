// What a launch tells and keeps while it runs: its progress, its losses and readings of live memory.
#pragma once

#include "base/interface.hpp"
#include "measure/step.hpp"
#include "schema/launch.hpp"
#include "schema/messages.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace mpsbench::measure {

// Receives the progress of a launch. Called only between timed windows.
class Observer : public base::Interface {
 public:
  // The launch enters PHASE.
  virtual void on_phase(schema::Phase phase) = 0;

  // The first step is done.
  virtual void on_first_step() {}

  // EPOCH, counted from 1, is done, and no later step has run. IS_LAST means that there are no more epochs.
  virtual void on_epoch(std::int64_t /*epoch*/, bool /*is_last*/) {}

  // Whether to call on_loss() every 100 batches of an epoch and after its last one.
  [[nodiscard]] virtual bool wants_losses() const { return false; }
  virtual void on_loss(const schema::LossEvent& /*loss*/) {}

  // A window of STEPS timed steps is done.
  virtual void on_window(std::int64_t /*steps*/) {}

  // Called at most twice a second by the Timer's clock.
  virtual void on_progress(const schema::ProgressEvent& progress) = 0;

  // The launch has more than before. Called at most twice a second while it warms up.
  virtual void on_part() {}
};

// Returns the loss of the last step, or nullopt if it has none or if it is not finite.
[[nodiscard]] std::optional<double> finite_loss(Step& step);

// Keeps losses: of each of the first 20 steps, then one per window.
class LossLog {
 public:
  static constexpr std::int64_t kFirstSteps = 20;

  // LOSSES receives the losses; null means that a loss is not finite.
  explicit LossLog(std::vector<std::optional<double>>& losses);

  // Call this after a warm-up window of STEPS steps. Keeps its loss if it began within the first steps.
  void after_warmup(Step& step, std::int64_t steps);

  // Call this after a sample's window.
  void after_sample(Step& step);
  // Does the same with a LOSS that was read already; nullopt means that it is not finite.
  void keep(std::optional<double> loss);

  [[nodiscard]] bool in_first_steps() const { return steps_ < kFirstSteps; }
  // Whether steps have losses and some of the first steps are still to come.
  [[nodiscard]] bool wants_single_steps() const { return in_first_steps() && !losses_.empty(); }
  [[nodiscard]] std::optional<double> last() const { return last_; }

 private:
  std::vector<std::optional<double>>& losses_;
  std::int64_t steps_ = 0;
  std::optional<double> last_;
};

// Reports the samples' progress to the observer, at most twice a second.
class ProgressReporter {
 public:
  static constexpr double kPauseSeconds = 0.5;

  explicit ProgressReporter(Observer& observer) : observer_(observer) {}

  // Call this between windows. NOW_SECONDS is on the timer's clock.
  void report(std::span<const double> samples, std::optional<double> loss, double now_seconds);

  // The same inside a timed epoch, but cheaper: computes no statistics, and reads STEP's loss only if a
  // report is due. STEP_SECONDS is the mean so far in the epoch, after SAMPLES windows.
  void report_mean(std::size_t samples, double step_seconds, Step& step, double now_seconds);

  // The same in the warm-up, which has no samples yet.
  void report_warmup(double now_seconds);

 private:
  [[nodiscard]] static bool is_due(double now_seconds, std::optional<double>& last_seconds);

  Observer& observer_;
  std::optional<double> last_seconds_;
  std::optional<double> last_warmup_seconds_;
};

// Keeps readings of live memory between windows. They are thinned out, so a long launch has no more than a
// short one.
class LiveMemoryLog {
 public:
  static constexpr std::size_t kMost = 64;

  // READ returns the bytes in use now, or nullopt if unknown. OUT receives readings, evenly spread over the
  // windows.
  LiveMemoryLog(std::function<std::optional<std::int64_t>()> read, std::vector<schema::LiveBytes>& out);

  // Call this after each window of STEPS steps.
  void after_window(std::int64_t steps);

 private:
  std::function<std::optional<std::int64_t>()> read_;
  std::vector<schema::LiveBytes>& out_;
  std::int64_t steps_ = 0;
  std::size_t windows_ = 0;
  std::size_t stride_ = 1;  // windows per reading
};

}  // namespace mpsbench::measure
