#include "run/search/batch_search.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/resources.hpp"
#include "base/units.hpp"
#include "output/console/run_remarks.hpp"
#include "report/metrics/metrics.hpp"
#include "run/packages/packages.hpp"
#include "supervise/best_batch.hpp"
#include "supervise/launch_runner.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace mpsbench::run {

namespace {

using schema::PlannedCase;
using schema::Status;

// A trial ended neither well nor for lack of memory.
struct FailedTrial final : std::exception {
  explicit FailedTrial(std::int64_t batch) : batch_size(batch) {}
  std::int64_t batch_size;
};

// The trials of a case whose batch size is still to be found.
class BatchTrials {
 public:
  BatchTrials(schema::RunRecord& record, const suite::OpenCase& open, const suite::Host& host,
              supervise::Interrupt& interrupt, const RunSink& show)
      : record_(record), open_(open), host_(host), interrupt_(interrupt), show_(show) {}

  // The case at the network's own batch size.
  [[nodiscard]] PlannedCase first() const { return open_.first(host_); }

  // The case as it would be measured. Returns nullopt if it cannot even be planned: the batch size is 0 or
  // exceeds the machine's memory.
  [[nodiscard]] std::optional<PlannedCase> planned(std::int64_t batch_size) const {
    if (batch_size == 0) return std::nullopt;
    try {
      return open_.at_batch(batch_size, host_);
    } catch (const base::Error& error) {
      base::log::detail(error.what());
      return std::nullopt;
    }
  }

  [[nodiscard]] std::optional<PlannedCase> plain(std::int64_t batch_size) const {
    std::optional<PlannedCase> trial = planned(batch_size);
    return trial ? std::optional(plain_trial(std::move(*trial))) : std::nullopt;
  }

  // Returns nullopt, and shows it, if TRIAL runs out of memory. Throws FailedTrial and Error(interrupted).
  std::optional<schema::Launch> run(const PlannedCase& trial) {
    const std::int64_t batch_size = trial.spec.batch_size;
    schema::Launch launch = launch_of(trial);
    if (launch.status == Status::ok) {
      largest_fit_ = std::max(largest_fit_, batch_size);
      return launch;
    }
    const std::string message = launch.failure.value_or(schema::Failure{}).message;
    show(batch_size, message.substr(0, message.find("; lower --batch-size")));  // the search does that
    if (launch.status != Status::oom) throw FailedTrial(batch_size);
    smallest_misfit_ = std::min(smallest_misfit_.value_or(batch_size), batch_size);
    return std::nullopt;
  }

  // Adds a case to the record's plan, unless it is there.
  void plan(PlannedCase planned) {
    auto& all = record_.run.planned;
    if (std::ranges::find(all, planned.id, &PlannedCase::id) == all.end()) all.push_back(std::move(planned));
  }

  void show(const std::string& text) const { show_(BatchTried{open_.id, text}); }
  void show(std::int64_t batch_size, const std::string& text) const {
    show("batch " + std::to_string(batch_size) + ": " + text);
  }

 private:
  schema::Launch launch_of(const PlannedCase& trial) {
    std::string when = "during the search for the batch size of " + open_.id;
    if (largest_fit_ > 0) when += "; " + std::to_string(largest_fit_) + " rows fit";
    if (smallest_misfit_) when += "; " + std::to_string(*smallest_misfit_) + " rows do not fit";
    schema::LaunchRequest request = launch_request(record_, trial);
    try {
      if (auto failed = packages_.add_to(request, trial, {base::worker_program(), record_.host, interrupt_, show_}))
        return *failed;
    } catch (const base::Error& error) {
      if (error.kind() == base::ErrorKind::interrupted) stop_trials(when);
      throw;
    }
    return run_trial(request, trial.timeout_seconds, interrupt_, when);
  }

  schema::RunRecord& record_;
  const suite::OpenCase& open_;
  const suite::Host& host_;
  supervise::Interrupt& interrupt_;
  const RunSink& show_;
  Packages packages_;
  std::int64_t largest_fit_ = 0;
  std::optional<std::int64_t> smallest_misfit_;
};

bool runs(BatchTrials& trials, const PlannedCase& trial) {
  const bool is_fit = trials.run(trial).has_value();
  if (is_fit) trials.show("batch " + std::to_string(trial.spec.batch_size) + " fits");
  return is_fit;
}

bool fits(BatchTrials& trials, std::int64_t batch_size) {
  std::optional<PlannedCase> trial = trials.plain(batch_size);
  if (!trial) return false;
  // Memory use reaches its peak after some steps: then it includes gradients, the optimizer's state and
  // what the allocator keeps.
  trial->measure.warmup = {schema::WarmupSpec::Kind::steps, 3};
  trial->measure.min_time_seconds = 0;
  trial->measure.min_samples = 1;
  trial->spec.max_batches = 3;
  // The published inference loop keeps what gradients need, so it is tried unchanged.
  if (schema::is_published_inference(trials.first().spec)) {
    trial->spec.as_published = true;
    trial->spec.iterations = 3;
  }
  return runs(trials, *trial);
}

// Memory layout differs from process to process, so the limit is tried again. This try is a launch as it will be
// measured, because it may use a few bytes more; but counted work may take hours, so that has another trial.
bool fits_again(BatchTrials& trials, std::int64_t batch_size) {
  const std::optional<PlannedCase> whole = trials.planned(batch_size);
  return whole && (whole->spec.epochs || whole->spec.iterations ? fits(trials, batch_size) : runs(trials, *whole));
}

std::string largest_words(const BatchTrials& trials, const supervise::LargestBatch& found) {
  if (found.fits == 0) return "not even one row fits";
  if (found.too_large) return "the largest batch that runs is " + std::to_string(found.fits);
  if (row_of(trials.first().spec.mode).generates)
    return std::to_string(found.fits) + " sequences fit; more are not tried";
  const auto largest = trials.planned(found.fits);
  const bool is_synthetic = largest && largest->spec.dataset == schema::Dataset::synthetic;
  return std::to_string(found.fits) + " rows fit, which is the whole data set" +
         (is_synthetic ? " (--rows sets a larger one)" : "");
}

// Tries batches in launches of a few steps. Plans the largest batch that runs and the next one, which ran out of
// memory.
void search_largest(BatchTrials& trials) {
  const PlannedCase first = trials.first();
  supervise::LargestBatch found = supervise::find_largest_batch(
      first.spec.batch_size, first.spec.rows, [&](std::int64_t batch) { return fits(trials, batch); });
  while (found.fits > 0 && found.too_large && !fits_again(trials, found.fits)) {
    found.too_large = found.fits;
    found.fits -= std::max<std::int64_t>(1, found.fits / 64);
  }
  trials.show(largest_words(trials, found));
  if (auto largest = trials.planned(found.fits)) trials.plan(std::move(*largest));
  if (auto larger = trials.planned(found.too_large.value_or(0))) {
    larger->repeats = 1;  // one launch is enough to show how it fails
    larger->is_bound = found.fits > 0;
    trials.plan(std::move(*larger));
  }
}

std::string rate_text(double rows_per_second) {
  constexpr double kWhole = 100;  // from here on, a whole number has three digits
  return rows_per_second < kWhole ? base::format_significant(rows_per_second, 3)
                                  : base::format_count(std::llround(rows_per_second));
}

// Returns why there was no larger trial, unless larger batches are no faster.
std::string end_words(const PlannedCase& first, supervise::LastTrial last) {
  switch (last) {
    case supervise::LastTrial::settled:
      break;
    case supervise::LastTrial::memory:
      return "; larger ones do not fit";
    case supervise::LastTrial::rows:
      if (row_of(first.spec.mode).generates) return "; more sequences are not tried";
      return "; the data set has " + base::format_count(first.spec.rows) + " rows" +
             (first.spec.dataset == schema::Dataset::synthetic ? " (--rows sets more)" : "");
    case supervise::LastTrial::time:
      return "; a step of larger ones takes longer than the " + base::format_duration(first.measure.max_time_seconds) +
             " that a launch has (--max-time divided by --repeats)";
  }
  return "";
}

std::string unit_of(const PlannedCase& planned) {
  return " " + std::string(row_of(planned.spec.mode).unit) + "/s";
}

std::string best_words(const PlannedCase& first, const supervise::BestBatch& found) {
  if (found.smallest == 0) return "not even one row fits";
  const std::string rates = found.smallest == found.fastest
                                ? rate_text(found.smallest_rate) + unit_of(first) + ", the fastest"
                                : rate_text(found.smallest_rate) + " of " + rate_text(found.fastest_rate) +
                                      unit_of(first) + " at " + std::to_string(found.fastest);
  return (found.tied ? "batches of " + output::tied_words(*found.tied) + "; by the means of the trials, " : "") +
         "the smallest power of two within 2 % of the fastest is " + std::to_string(found.smallest) + " (" + rates +
         ")" + end_words(first, found.last);
}

// Times batches in short launches. Plans the smallest that is almost as fast as the fastest. If not even one row
// fits, plans one row, so that the run records why.
void search_best(BatchTrials& trials) {
  constexpr double kTrialSeconds = 2;  // at most, warm-up included
  const PlannedCase first = trials.first();
  std::set<std::int64_t> tried;
  const auto rate = [&](std::int64_t batch_size) -> std::optional<supervise::BatchRate> {
    std::optional<PlannedCase> trial = trials.plain(batch_size);
    if (!trial) return std::nullopt;
    const double launch_seconds = trial->measure.max_time_seconds;
    trial->measure = {};
    trial->measure.max_time_seconds = std::min(kTrialSeconds, launch_seconds);
    const std::optional<schema::Launch> launch = trials.run(*trial);
    if (!launch) return std::nullopt;
    const schema::ValueMetric measured = report::speed_of(
        trial->spec, report::compute_metrics(trial->spec, std::nullopt, std::span(&*launch, 1)).metrics);
    if (!measured.value) throw FailedTrial(batch_size);
    const bool is_again = !tried.insert(batch_size).second;
    trials.show(batch_size, rate_text(*measured.value) + unit_of(*trial) + (is_again ? " (tried again)" : ""));
    const double width = measured.ci95 ? measured.ci95->high - measured.ci95->low : 0;
    return supervise::BatchRate{*measured.value, width / 2 / *measured.value};
  };
  const supervise::BestBatch found = supervise::find_best_batch(first.spec.rows, first.measure.max_time_seconds, rate);
  trials.show(best_words(first, found));
  std::optional<PlannedCase> best = trials.planned(std::max<std::int64_t>(found.smallest, 1));
  if (!best) return;
  best->tied_batches = found.tied;
  trials.plan(std::move(*best));
}

}  // namespace

void search_batches(schema::RunRecord& record, const std::vector<suite::OpenCase>& open, const suite::Host& host,
                    const RunSink& show) {
  if (open.empty()) return;
  supervise::Interrupt interrupt;
  for (const suite::OpenCase& one : open) {
    BatchTrials trials(record, one, host, interrupt, show);
    const bool is_largest = one.searched == suite::SearchedBatch::max;
    trials.show(is_largest ? "searching for the largest batch that runs" : "searching for the best batch");
    try {
      is_largest ? search_largest(trials) : search_best(trials);
    } catch (const FailedTrial& broken) {
      trials.plan(one.at_batch(broken.batch_size, host));
    }
  }
}

void require_one_machine(const std::vector<suite::OpenCase>& open, const schema::LauncherInfo& launcher) {
  if (launcher.hosts == 1) return;
  for (const suite::OpenCase& one : open) {
    if (one.point.ranks > 1)
      throw base::usage_error("--batch-size: max and best are searched on one machine, but " + one.id + " runs under " +
                              words_of(launcher) + "; search on one, and name the batch here");
  }
}

PlannedCase plain_trial(PlannedCase planned) {
  planned.spec.epochs = std::nullopt;
  planned.spec.iterations = std::nullopt;
  planned.spec.max_batches = std::nullopt;
  planned.spec.last_batch = schema::LastBatch::drop;
  planned.spec.as_published = false;
  planned.dump_first_step_path = std::nullopt;
  return planned;
}

schema::Launch run_trial(const schema::LaunchRequest& request, double timeout_seconds, supervise::Interrupt& interrupt,
                         const std::string& when) {
  schema::Launch launch = supervise::run_launch({base::worker_program(), {timeout_seconds}, interrupt}, request).launch;
  if (launch.status == Status::interrupted) stop_trials(when);
  return launch;
}

void stop_trials(const std::string& when) {
  throw base::Error(base::ErrorKind::interrupted, "stopped " + when + "; nothing was measured yet");
}

}  // namespace mpsbench::run
