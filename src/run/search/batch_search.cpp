#include "run/search/batch_search.hpp"

#include "base/error.hpp"
#include "run/search/batch_trials.hpp"
#include "run/search/best_batch_search.hpp"
#include "supervise/best_batch.hpp"
#include "supervise/interrupt.hpp"

#include <algorithm>
#include <utility>

namespace mpsbench::run {

namespace {

class LargestBatchSearch {
 public:
  explicit LargestBatchSearch(BatchTrials& trials) : trials_(&trials) {}

  void run() {
    const schema::PlannedCase first = trials_->first();
    supervise::LargestBatch found = supervise::find_largest_batch(first.spec.batch_size, first.spec.rows,
                                                                  [this](std::int64_t batch) { return fits(batch); });
    while (found.fits > 0 && found.too_large && !fits_again(found.fits)) {
      found.too_large = found.fits;
      found.fits -= std::max<std::int64_t>(1, found.fits / 64);
    }
    trials_->show(words(found));
    if (auto largest = trials_->planned(found.fits)) trials_->plan(std::move(*largest));
    if (auto larger = trials_->planned(found.too_large.value_or(0))) {
      larger->repeats = 1;  // one launch is enough to show how it fails
      larger->is_bound = found.fits > 0;
      trials_->plan(std::move(*larger));
    }
  }

 private:
  [[nodiscard]] std::string words(const supervise::LargestBatch& found) const {
    if (found.fits == 0) return "not even one row fits";
    if (!found.too_large) {
      const auto largest = trials_->planned(found.fits);
      const bool synthetic = largest && largest->spec.dataset == schema::Dataset::synthetic;
      return std::to_string(found.fits) + " rows fit, which is the whole data set" +
             (synthetic ? " (--rows sets a larger one)" : "");
    }
    return "the largest batch that runs is " + std::to_string(found.fits);
  }

  // Memory layout differs from process to process, so the limit is tried again. This try is a launch as it
  // will be measured, because it may use a few bytes more; but counted work may take hours, so that has
  // another trial.
  bool fits_again(std::int64_t batch_size) {
    const std::optional<schema::PlannedCase> whole = trials_->planned(batch_size);
    return whole && (whole->spec.epochs || whole->spec.iterations ? fits(batch_size) : runs(*whole));
  }

  bool fits(std::int64_t batch_size) {
    std::optional<schema::PlannedCase> trial = trials_->plain(batch_size);
    if (!trial) return false;
    // Memory use reaches its peak after some steps: then it includes gradients, the optimizer's state and
    // what the allocator keeps.
    trial->measure.warmup = {schema::WarmupSpec::Kind::steps, 3};
    trial->measure.min_time_seconds = 0;
    trial->measure.min_samples = 1;
    trial->spec.max_batches = 3;
    // The published inference loop keeps what gradients need, so it is tried unchanged.
    if (schema::is_published_inference(trials_->first().spec)) {
      trial->spec.loop = schema::LoopProtocol::published;
      trial->spec.iterations = 3;
    }
    return runs(*trial);
  }

  bool runs(const schema::PlannedCase& trial) {
    const bool is_fit = trials_->run(trial).has_value();
    if (is_fit) trials_->show("batch " + std::to_string(trial.spec.batch_size) + " fits");
    return is_fit;
  }

  BatchTrials* trials_;
};

}  // namespace

void search_batches(schema::RunRecord& record, const std::vector<suite::OpenCase>& open, const suite::Host& host,
                    View& view) {
  supervise::Interrupt interrupt;
  for (const suite::OpenCase& one : open) {
    BatchTrials trials(record, one, host, interrupt, view);
    try {
      switch (one.searched) {
        case suite::SearchedBatch::max:
          search_largest_batch(trials);
          break;
        case suite::SearchedBatch::best:
          search_best_batch(trials);
          break;
      }
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

void search_largest_batch(BatchTrials& trials) {
  LargestBatchSearch(trials).run();
}

}  // namespace mpsbench::run
