#include "run/trial_launch.hpp"

#include "base/error.hpp"
#include "base/resources.hpp"
#include "supervise/launch_runner.hpp"

#include <optional>
#include <utility>

namespace mpsbench::run {

schema::PlannedCase plain_trial(schema::PlannedCase planned) {
  planned.spec.epochs = std::nullopt;
  planned.spec.iterations = std::nullopt;
  planned.spec.max_batches = std::nullopt;
  planned.spec.last_batch = schema::LastBatch::drop;
  planned.spec.loop = schema::LoopProtocol::standard;
  planned.dump_first_step_path = std::nullopt;
  return planned;
}

void stop_trials(const std::string& when) {
  throw base::Error(base::ErrorKind::interrupted, "stopped " + when + "; nothing was measured yet");
}

schema::Launch run_trial(schema::LaunchRequest request, double timeout_seconds,
                         supervise::Interrupt& interrupt, const std::string& when) {
  supervise::LaunchListener nobody;
  schema::Launch launch =
      supervise::run_launch(base::worker_program(), std::move(request), {timeout_seconds}, nobody, interrupt)
          .launch;
  if (launch.status == schema::Status::interrupted) stop_trials(when);
  return launch;
}

}  // namespace mpsbench::run
