#include "run/search/batch_trials.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/resources.hpp"
#include "run/plan/launch_request.hpp"
#include "supervise/launch_runner.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace mpsbench::run {

namespace {

using schema::Status;

// The search itself lowers the batch size, so it does not advise that.
std::string without_cure(const std::string& message) {
  return message.substr(0, message.find("; lower --batch-size"));
}

}  // namespace

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

schema::Launch run_trial(const schema::LaunchRequest& request, double timeout_seconds, supervise::Interrupt& interrupt,
                         const std::string& when) {
  supervise::LaunchListener nobody;
  schema::Launch launch =
      supervise::run_launch(base::worker_program(), request, {timeout_seconds}, nobody, interrupt).launch;
  if (launch.status == schema::Status::interrupted) stop_trials(when);
  return launch;
}

std::optional<schema::PlannedCase> BatchTrials::planned(std::int64_t batch_size) const {
  if (batch_size == 0) return std::nullopt;
  try {
    return open_->at_batch(batch_size, *host_);
  } catch (const base::Error& error) {
    base::log::detail(error.what());
    return std::nullopt;
  }
}

std::optional<schema::PlannedCase> BatchTrials::plain(std::int64_t batch_size) const {
  std::optional<schema::PlannedCase> trial = planned(batch_size);
  return trial ? std::optional(plain_trial(std::move(*trial))) : std::nullopt;
}

std::optional<schema::Launch> BatchTrials::run(const schema::PlannedCase& trial) {
  const std::int64_t batch_size = trial.spec.batch_size;
  const std::string when = "during the search for the batch size of " + open_->id + known_words();
  schema::Launch launch = launch_of(trial, when);
  if (launch.status == Status::ok) {
    largest_fit_ = std::max(largest_fit_, batch_size);
    return launch;
  }
  show(batch_size, without_cure(launch.failure.value_or(schema::Failure{}).message));
  if (launch.status != Status::oom) throw FailedTrial(batch_size);
  smallest_misfit_ = std::min(smallest_misfit_.value_or(batch_size), batch_size);
  return std::nullopt;
}

schema::Launch BatchTrials::launch_of(const schema::PlannedCase& trial, const std::string& when) {
  schema::LaunchRequest request = launch_request(*record_, trial);
  try {
    if (auto failed = packages_.add_to(request, trial, {base::worker_program(), record_->host, *interrupt_, *view_}))
      return *failed;
  } catch (const base::Error& error) {
    if (error.kind() == base::ErrorKind::interrupted) stop_trials(when);
    throw;
  }
  return run_trial(request, trial.timeout_seconds, *interrupt_, when);
}

void BatchTrials::plan(schema::PlannedCase planned) {
  auto& all = record_->run.planned;
  const auto same = [&planned](const schema::PlannedCase& other) { return other.id == planned.id; };
  if (std::none_of(all.begin(), all.end(), same)) all.push_back(std::move(planned));
}

void BatchTrials::show(std::int64_t batch_size, const std::string& text) const {
  show("batch " + std::to_string(batch_size) + ": " + text);
}

// What the trials so far have shown, for a message.
std::string BatchTrials::known_words() const {
  std::string text;
  if (largest_fit_ > 0) text += "; " + std::to_string(largest_fit_) + " rows fit";
  if (smallest_misfit_) text += "; " + std::to_string(*smallest_misfit_) + " rows do not fit";
  return text;
}

}  // namespace mpsbench::run
