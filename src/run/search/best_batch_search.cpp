#include "run/search/best_batch_search.hpp"

#include "base/units.hpp"
#include "output/console/run_remarks.hpp"
#include "report/metrics/metrics.hpp"
#include "supervise/best_batch.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <utility>

namespace mpsbench::run {

namespace {

constexpr double kTrialSeconds = 2;  // at most, warm-up included

std::string rate_text(double rows_per_second) {
  constexpr double kWhole = 100;  // from here on, a whole number has three digits
  return rows_per_second < kWhole ? base::format_significant(rows_per_second, 3)
                                  : base::format_count(std::llround(rows_per_second));
}

class BestBatchSearch {
 public:
  explicit BestBatchSearch(BatchTrials& trials) : trials_(&trials), first_(trials.first()) {}

  void run() {
    const supervise::BestBatch found = supervise::find_best_batch(first_.spec.rows, first_.measure.max_time_seconds,
                                                                  [this](std::int64_t batch) { return rate(batch); });
    trials_->show(words(found));
    std::optional<schema::PlannedCase> best = trials_->planned(std::max<std::int64_t>(found.smallest, 1));
    if (!best) return;
    best->tied_batches = tied(found);
    trials_->plan(std::move(*best));
  }

 private:
  static std::optional<schema::TiedBatches> tied(const supervise::BestBatch& found) {
    if (found.half_width == 0) return std::nullopt;
    return schema::TiedBatches{found.least, found.most, found.half_width};
  }

  [[nodiscard]] std::string words(const supervise::BestBatch& found) const {
    if (found.smallest == 0) return "not even one row fits";
    const std::string rates = found.smallest == found.fastest
                                  ? rate_text(found.smallest_rate) + " rows/s, the fastest"
                                  : rate_text(found.smallest_rate) + " of " + rate_text(found.fastest_rate) +
                                        " rows/s at " + std::to_string(found.fastest);
    const std::string batch = std::to_string(found.smallest) + " (" + rates + ")";
    const auto open = tied(found);
    return (open ? "batches of " + output::tied_words(*open) + "; by the means of the trials, " : "") +
           "the smallest power of two within 2 % of the fastest is " + batch + end_words(found.last);
  }

  // Returns why there was no larger trial, unless larger batches are no faster.
  [[nodiscard]] std::string end_words(supervise::LastTrial last) const {
    switch (last) {
      case supervise::LastTrial::settled:
        break;
      case supervise::LastTrial::memory:
        return "; larger ones do not fit";
      case supervise::LastTrial::rows:
        return "; the data set has " + base::format_count(first_.spec.rows) + " rows" +
               (first_.spec.dataset == schema::Dataset::synthetic ? " (--rows sets more)" : "");
      case supervise::LastTrial::time:
        return "; a step of larger ones takes longer than the " +
               base::format_duration(first_.measure.max_time_seconds) +
               " that a launch has (--max-time divided by --repeats)";
    }
    return "";
  }

  std::optional<supervise::BatchRate> rate(std::int64_t batch_size) {
    std::optional<schema::PlannedCase> trial = trials_->plain(batch_size);
    if (!trial) return std::nullopt;
    const double launch_seconds = trial->measure.max_time_seconds;
    trial->measure = {};
    trial->measure.max_time_seconds = std::min(kTrialSeconds, launch_seconds);
    const std::optional<schema::Launch> launch = trials_->run(*trial);
    if (!launch) return std::nullopt;
    const schema::RateMetric measured =
        report::compute_metrics(trial->spec, std::nullopt, std::span(&*launch, 1)).metrics.rows_per_second;
    if (!measured.value) throw FailedTrial(batch_size);
    const bool is_again = !tried_.insert(batch_size).second;
    trials_->show(batch_size, rate_text(*measured.value) + " rows/s" + (is_again ? " (tried again)" : ""));
    const double width = measured.ci95 ? measured.ci95->high - measured.ci95->low : 0;
    return supervise::BatchRate{*measured.value, width / 2 / *measured.value};
  }

  BatchTrials* trials_;
  schema::PlannedCase first_;
  std::set<std::int64_t> tried_;
};

}  // namespace

void search_best_batch(BatchTrials& trials) {
  BestBatchSearch(trials).run();
}

}  // namespace mpsbench::run
