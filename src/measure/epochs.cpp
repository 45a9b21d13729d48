#include "measure/epochs.hpp"

#include <algorithm>

namespace mpsbench::measure {
namespace {

schema::EpochRecord run_epoch(Session& session, std::int64_t steps_per_sample, double& end_seconds) {
  const WorkPlan& work = session.work();
  Timer& timer = session.timer();
  std::vector<double>& samples = session.out().samples_seconds;
  timer.synchronize();
  const double begin = timer.now_seconds();
  double mark = begin;
  session.step().begin_epoch();
  for (std::int64_t left = work.steps_per_epoch; left > 0;) {
    const std::int64_t steps = next_window(steps_per_sample, left);
    for (std::int64_t i = 0; i < steps; ++i) session.step().run();
    timer.synchronize();
    const double now = timer.now_seconds();
    samples.push_back((now - mark) / static_cast<double>(steps));
    mark = now;
    left -= steps;
  }
  end_seconds = mark;
  return {mark - begin, work.steps_per_epoch, work.rows_per_epoch};
}

}  // namespace

void measure_epochs(Session& session, std::int64_t epochs, std::int64_t steps_per_sample) {
  schema::Launch& out = session.out();
  const std::int64_t steps = session.work().steps_per_epoch;
  // No epoch has more windows than its share of those a launch may keep.
  const std::int64_t windows = std::max<std::int64_t>(1, kMostSamples / epochs);
  const std::int64_t least_steps = (steps + windows - 1) / windows;
  out.steps_per_sample = std::min(std::max(steps_per_sample, least_steps), steps);
  out.samples_seconds.reserve(static_cast<std::size_t>(kMostSamples));
  out.epochs.reserve(static_cast<std::size_t>(std::min(epochs, kMostSamples)));
  for (std::int64_t epoch = 0; epoch < epochs; ++epoch) {
    double now = 0;
    out.epochs.push_back(run_epoch(session, out.steps_per_sample, now));
    session.losses().after_sample(session.step());
    session.observer().on_window(session.work().steps_per_epoch);
    session.progress().report(out.samples_seconds, session.losses().last(), now);
  }
  out.stopped_by = "epochs";
}

}  // namespace mpsbench::measure
