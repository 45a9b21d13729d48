// A scripted machine: its clock moves only when the script says so. Use durations that are multiples of a
// power of two: then all expected values are exact.
#pragma once

#include "measure/communication.hpp"
#include "measure/progress.hpp"
#include "measure/step.hpp"
#include "measure/timer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace mpsbench::measure {

// The device's own clock. It differs from the true one by the factor SCALE and by DRIFT per step. For the
// steps that REVERSE names, its times run backwards.
struct FakeEvents final : EventClock {
  std::function<double()> queue_end;
  double scale = 1;
  double drift = 0;
  std::optional<std::size_t> reverse;

  void mark() override { stamps_.push_back(queue_end()); }
  std::vector<double> take_seconds() override {
    std::vector<double> seconds;
    for (std::size_t i = 1; i < stamps_.size(); ++i) {
      const double true_seconds = stamps_[i] - stamps_[i - 1];
      seconds.push_back(true_seconds * (scale + drift * static_cast<double>(steps_++)));
      if (reverse == i) seconds.back() = -seconds.back();
    }
    stamps_.clear();
    return seconds;
  }

 private:
  std::vector<double> stamps_;
  std::size_t steps_ = 0;
};

class FakeMachine final : public Step, public Timer {
 public:
  // Functions of the step's number, from 0. A loss of nullopt means that the mode has none.
  std::function<double(std::int64_t)> step_seconds = [](std::int64_t) { return 1.0 / 64; };
  std::function<std::optional<double>(std::int64_t)> step_loss = [](std::int64_t) { return std::nullopt; };
  // The parts of marked steps, by the number of the marked step. If empty, the step cannot mark its parts.
  std::function<std::array<double, 3>(std::int64_t)> part_seconds;
  bool queue = false;          // steps are queued and run one after the other while the host goes on
  double enqueue_seconds = 0;  // host time to queue a step
  bool synchronize_is_broken = false;
  double synchronize_seconds = 0;  // added after the queue is empty
  double loss_seconds = 0;         // the time to read a loss
  double tick_seconds = 0;         // readings are rounded down to multiples of it
  double cost_seconds = 0;
  double origin_seconds = 0;  // what the clock shows at the start
  std::int64_t preparation = 0;
  std::int64_t least_window = 1;
  bool has_events = false;
  FakeEvents event_clock;

  FakeMachine() {
    event_clock.queue_end = [this] { return std::max(free_at_, now_); };
  }

  void run() override { work(step_seconds(steps_++)); }
  bool run_marked(EventClock& clock) override {
    if (!part_seconds) return false;
    for (const double seconds : part_seconds(marked_++)) {
      work(seconds);
      clock.mark();
    }
    return true;
  }
  std::optional<double> loss() override {
    now_ = std::max(now_, free_at_) + loss_seconds;  // reading a loss waits for the device
    return step_loss(steps_ - 1);
  }
  double now_seconds() override {
    const double now = origin_seconds + now_;
    return tick_seconds > 0 ? std::floor(now / tick_seconds) * tick_seconds : now;
  }
  void synchronize() override {
    if (!synchronize_is_broken) now_ = std::max(now_, free_at_) + synchronize_seconds;
  }
  [[nodiscard]] EventClock* events() override { return has_events ? &event_clock : nullptr; }
  [[nodiscard]] std::int64_t preparation_steps() const override { return preparation; }
  [[nodiscard]] std::int64_t least_window_steps() const override { return least_window; }
  [[nodiscard]] bool asynchronous() const override { return queue; }
  [[nodiscard]] double clock_cost_seconds() const override { return cost_seconds; }

  // The host spends time on something else.
  void idle(double seconds) { now_ += seconds; }
  [[nodiscard]] std::int64_t steps() const { return steps_; }
  [[nodiscard]] std::int64_t marked_steps() const { return marked_; }

 private:
  void work(double seconds) {
    now_ += enqueue_seconds;
    free_at_ = std::max(free_at_, now_) + seconds;
    if (!queue) now_ = free_at_;
  }

  double now_ = 0;
  double free_at_ = 0;
  std::int64_t steps_ = 0;
  std::int64_t marked_ = 0;
};

// Other processes let this one wait for SECONDS when they agree.
class SlowAgreement final : public Agreement {
 public:
  SlowAgreement(FakeMachine& machine, double seconds) : machine_(machine), seconds_(seconds) {}
  void take_largest(std::span<double> /*numbers*/) override { machine_.idle(seconds_); }

 private:
  FakeMachine& machine_;
  double seconds_;
};

class RecordingObserver final : public Observer {
 public:
  std::vector<std::string> phases;
  std::vector<schema::ProgressEvent> events;
  std::vector<schema::LossEvent> losses;
  std::vector<std::pair<std::int64_t, bool>> epochs;  // the epoch, and whether it was the last
  std::size_t windows = 0;
  std::function<void()> at_window = [] {};
  bool wants = false;

  void on_phase(schema::Phase phase) override { phases.push_back(to_string(phase)); }
  void on_progress(const schema::ProgressEvent& progress) override { events.push_back(progress); }
  void on_window(std::int64_t /*steps*/) override {
    ++windows;
    at_window();
  }
  [[nodiscard]] bool wants_losses() const override { return wants; }
  void on_loss(const schema::LossEvent& loss) override { losses.push_back(loss); }
  void on_epoch(std::int64_t epoch, bool is_last) override { epochs.emplace_back(epoch, is_last); }
};

}  // namespace mpsbench::measure
