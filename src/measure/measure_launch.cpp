#include "measure/measure_launch.hpp"

#include "measure/epochs.hpp"
#include "measure/latency.hpp"
#include "measure/session.hpp"
#include "measure/throughput.hpp"
#include "measure/warmup.hpp"
#include "measure/window_size.hpp"

namespace mpsbench::measure {

void measure_launch(Step& step, Timer& timer, Observer& observer, const schema::MeasureSpec& spec,
                    const WorkPlan& work, bool latency, schema::Launch& out) {
  Session session{step, timer, observer, spec, work, out};
  observer.on_phase("warmup");
  session.run_first_step();
  warm_up(session);
  const std::int64_t steps_per_sample = choose_steps_per_sample(session);
  if (work.epochs) {
    observer.on_phase("epoch");
    measure_epochs(session, *work.epochs, steps_per_sample);
    return;
  }
  const bool with_latency = latency && timer.asynchronous();
  const double kept_seconds = with_latency ? kLatencyShare * spec.max_time_seconds : 0;
  observer.on_phase("measure");
  measure_throughput(session, steps_per_sample, session.deadline_seconds() - kept_seconds);
  if (!with_latency) return;
  observer.on_phase("latency");
  measure_latency(session);
}

}  // namespace mpsbench::measure
