#include "run/batch_search.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/resources.hpp"
#include "run/launch_request.hpp"
#include "supervise/interrupt.hpp"
#include "supervise/largest_batch.hpp"
#include "supervise/launch_runner.hpp"

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

namespace mpsbench::run {
namespace {

using schema::Status;

// The search itself lowers the batch size, so it does not advise that.
std::string without_cure(const std::string& message) {
  return message.substr(0, message.find("; lower --batch-size"));
}

class BatchSearch {
 public:
  BatchSearch(schema::RunRecord& record, const suite::OpenCase& open, const suite::Host& host,
              supervise::Interrupt& interrupt, View& view)
      : record_(&record), open_(&open), host_(&host), interrupt_(&interrupt), view_(&view) {}

  void run() {
    const schema::PlannedCase first = open_->first(*host_);
    try {
      supervise::LargestBatch found = supervise::find_largest_batch(
          first.spec.batch_size, first.spec.rows, [this](std::int64_t batch) { return fits(batch); });
      while (found.fits > 0 && found.too_large && !fits_again(found.fits)) {
        found.too_large = found.fits;
        found.fits -= std::max<std::int64_t>(1, found.fits / 64);
      }
      say(words(found));
      if (found.fits > 0) plan(open_->at_batch(found.fits, *host_));
      if (auto larger = planned(found.too_large.value_or(0))) {
        larger->repeats = 1;  // one launch is enough to show how it fails
        larger->is_bound = found.fits > 0;
        plan(std::move(*larger));
      }
    } catch (const FailedTrial& broken) {
      plan(open_->at_batch(broken.batch_size, *host_));
    }
  }

 private:
  [[nodiscard]] std::string words(const supervise::LargestBatch& found) const {
    if (found.fits == 0) return "not even one row fits";
    if (!found.too_large) {
      const auto largest = planned(found.fits);
      const bool synthetic = largest && largest->spec.dataset == schema::Dataset::synthetic;
      return std::to_string(found.fits) + " rows fit, which is the whole data set" +
             (synthetic ? " (--rows sets a larger one)" : "");
    }
    return "the largest batch that runs is " + std::to_string(found.fits);
  }

  // What the trials so far have shown, for a message.
  [[nodiscard]] std::string known_words() const {
    std::string text;
    if (known_.fits > 0) text += "; " + std::to_string(known_.fits) + " rows fit";
    if (known_.too_large) text += "; " + std::to_string(*known_.too_large) + " rows do not fit";
    return text;
  }

  struct FailedTrial final : std::exception {
    explicit FailedTrial(std::int64_t batch) : batch_size(batch) {}
    std::int64_t batch_size;
  };

  // Returns nullopt if the case cannot even be planned: the batch size is 0 or exceeds the machine's memory.
  [[nodiscard]] std::optional<schema::PlannedCase> planned(std::int64_t batch_size) const {
    if (batch_size == 0) return std::nullopt;
    try {
      return open_->at_batch(batch_size, *host_);
    } catch (const base::Error& error) {
      base::log::detail(error.what());
      return std::nullopt;
    }
  }

  // Memory layout differs from process to process, so the limit is tried again. This try is a launch as it
  // will be measured, because it may use a few bytes more; but counted work may take hours, so that has
  // another trial.
  bool fits_again(std::int64_t batch_size) {
    const std::optional<schema::PlannedCase> whole = planned(batch_size);
    return whole && (whole->spec.epochs || whole->spec.iterations ? fits(batch_size) : runs(*whole));
  }

  bool fits(std::int64_t batch_size) {
    std::optional<schema::PlannedCase> trial = planned(batch_size);
    if (!trial) return false;
    // Memory use reaches its peak after some steps: then it includes gradients, the optimizer's state and
    // what the allocator keeps.
    trial->measure.warmup = {schema::WarmupSpec::Kind::steps, 3};
    trial->measure.min_time_seconds = 0;
    trial->measure.min_samples = 1;
    trial->spec.max_batches = 3;
    trial->spec.epochs = std::nullopt;
    // The published inference loop keeps what gradients need, so it is tried unchanged.
    const bool keeps_more = schema::is_published_inference(trial->spec);
    trial->spec.loop = schema::loop_protocol(keeps_more);
    trial->spec.iterations = keeps_more ? std::optional<std::int64_t>(3) : std::nullopt;
    return runs(*trial);
  }

  bool runs(const schema::PlannedCase& trial) {
    const std::int64_t batch_size = trial.spec.batch_size;
    supervise::LaunchListener nobody;
    const schema::Launch launch =
        supervise::run_launch(base::worker_program(), launch_request(*record_, trial),
                              {trial.timeout_seconds}, nobody, *interrupt_)
            .launch;
    if (launch.status == Status::interrupted)
      throw base::Error(base::ErrorKind::interrupted, "stopped during the search for the largest batch of " +
                                                          open_->id + known_words() +
                                                          "; nothing was measured yet");
    const bool is_fit = launch.status == Status::ok;
    say("batch " + std::to_string(batch_size) +
        (is_fit ? " fits" : ": " + without_cure(launch.failure.value_or(schema::Failure{}).message)));
    if (!is_fit && launch.status != Status::oom) throw FailedTrial(batch_size);
    if (is_fit) known_.fits = std::max(known_.fits, batch_size);
    if (!is_fit) known_.too_large = std::min(known_.too_large.value_or(batch_size), batch_size);
    return is_fit;
  }

  void plan(schema::PlannedCase planned) {
    auto& all = record_->run.planned;
    const auto same = [&planned](const schema::PlannedCase& other) { return other.id == planned.id; };
    if (std::none_of(all.begin(), all.end(), same)) all.push_back(std::move(planned));
  }

  void say(const std::string& text) const { view_->on_trial(open_->id, text); }

  schema::RunRecord* record_;
  const suite::OpenCase* open_;
  const suite::Host* host_;
  supervise::Interrupt* interrupt_;
  View* view_;
  supervise::LargestBatch known_;  // largest batch that fitted, smallest that did not
};

}  // namespace

void search_batches(schema::RunRecord& record, const std::vector<suite::OpenCase>& open,
                    const suite::Host& host, View& view) {
  supervise::Interrupt interrupt;
  for (const suite::OpenCase& one : open) BatchSearch(record, one, host, interrupt, view).run();
}

}  // namespace mpsbench::run
