#include "library/timing.hpp"

#include "library/loop_report.hpp"
#include "measure/timer.hpp"

namespace mpsbench {
namespace {

// The reference clock of the loop's device.
class LoopTimer final : public measure::Timer {
 public:
  explicit LoopTimer(const Loop& loop) : loop_(loop) {}

  double now_seconds() override { return host_.now_seconds(); }
  void synchronize() override {
    if (loop_.synchronize) loop_.synchronize();
  }
  [[nodiscard]] bool asynchronous() const override { return loop_.device.row().asynchronous; }
  [[nodiscard]] double clock_cost_seconds() const override { return host_.clock_cost_seconds(); }

 private:
  const Loop& loop_;
  measure::HostTimer host_;
};

}  // namespace

Report time_loop(const Loop& loop, const std::function<void()>& step) {
  LoopTimer timer(loop);
  return library::loop_report(loop, step, timer);
}

}  // namespace mpsbench
