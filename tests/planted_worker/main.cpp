// The real worker with a known slowdown: after each step of one case, it waits in a loop for a share of the
// step's time. MPSBENCH_PLANTED_CASE is MODEL/MODE; an MPSBENCH_PLANTED_SHARE of 0.1 means 10 % longer.
// For the CPU only: on other devices, a step returns before it is done.
#include "worker/main.hpp"

#include "base/clock.hpp"
#include "measure/step.hpp"

#include <cstdlib>
#include <string>

namespace mpsbench {
namespace {

double planted_share = 0;  // for the launch that this process measures

std::string variable(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? "" : text;
}

class SlowedStep final : public measure::Step {
 public:
  explicit SlowedStep(measure::Step& real) : real_(&real) {}
  void run() override {
    const double begin = base::steady_seconds();
    real_->run();
    const double end = begin + (1 + planted_share) * (base::steady_seconds() - begin);
    while (base::steady_seconds() < end) {
    }
  }
  std::optional<double> loss() override { return real_->loss(); }

 private:
  measure::Step* real_;
};

}  // namespace

measure::Window real_time_window(measure::Step& step, measure::Timer& timer, std::int64_t steps) asm(
    "__real__ZN8mpsbench7measure11time_windowERNS0_4StepERNS0_5TimerEl");
measure::Window planted_time_window(measure::Step& step, measure::Timer& timer, std::int64_t steps) asm(
    "__wrap__ZN8mpsbench7measure11time_windowERNS0_4StepERNS0_5TimerEl");
measure::Window planted_time_window(measure::Step& step, measure::Timer& timer, std::int64_t steps) {
  SlowedStep slowed(step);
  return real_time_window(planted_share > 0 ? slowed : step, timer, steps);
}

schema::Event real_run_launch(const schema::LaunchRequest& request, worker::Events& events) asm(
    "__real__ZN8mpsbench6worker10run_launchERKNS_6schema13LaunchRequestERNS0_6EventsE");
schema::Event planted_run_launch(const schema::LaunchRequest& request, worker::Events& events) asm(
    "__wrap__ZN8mpsbench6worker10run_launchERKNS_6schema13LaunchRequestERNS0_6EventsE");
schema::Event planted_run_launch(const schema::LaunchRequest& request, worker::Events& events) {
  const std::string mode = request.spec.mode == schema::Mode::train ? "train" : "infer";
  if (request.spec.model + "/" + mode == variable("MPSBENCH_PLANTED_CASE"))
    planted_share = std::stod(variable("MPSBENCH_PLANTED_SHARE"));
  return real_run_launch(request, events);
}

}  // namespace mpsbench

int main() {
  return mpsbench::worker::run();
}
