#include "measure/sequences.hpp"

#include "measure/throughput.hpp"
#include "stats/summary.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mpsbench::measure {

namespace {

class SequenceLoop {
 public:
  SequenceLoop(Sequences& sequences, Timer& timer, Observer& observer, Agreement& agreement,
               const schema::MeasureSpec& spec, std::optional<std::int64_t> most_steps, schema::Launch& out)
      : sequences_(sequences),
        timer_(timer),
        observer_(observer),
        agreement_(agreement),
        spec_(spec),
        out_(out),
        progress_(observer),
        is_trial_(most_steps.has_value()),
        steps_(std::min(sequences.steps(), most_steps.value_or(sequences.steps()))),
        begin_seconds_(timer.now_seconds()) {}

  void warm_up() {
    observer_.on_phase(schema::Phase::warmup);
    out_.first_step_seconds = largest(read_prompt());
    observer_.on_first_step();
    using Kind = schema::WarmupSpec::Kind;
    const bool is_automatic = spec_.warmup.kind == Kind::automatic;
    const double limit = is_automatic ? SequenceRule::kWarmupShare * spec_.max_time_seconds : spec_.warmup.amount;
    const auto most = static_cast<double>(steps_);
    std::int64_t done = 0;
    const auto is_enough = [&] {
      if (spec_.warmup.kind == Kind::steps) return static_cast<double>(done) >= spec_.warmup.amount;
      return now() >= limit || (is_automatic && static_cast<double>(done) >= most);
    };
    while (!is_enough()) {
      const std::int64_t in_sequence = done % steps_;
      if (in_sequence == 0 && done > 0) (void)read_prompt();
      std::int64_t steps = std::min(SequenceRule::kWarmupSteps, steps_ - in_sequence);
      if (spec_.warmup.kind == Kind::steps)
        steps = std::min(steps, static_cast<std::int64_t>(spec_.warmup.amount) - done);
      out_.warmup_samples_seconds.push_back(largest(add_tokens(steps)) / static_cast<double>(steps));
      done += steps;
      progress_.report_warmup(timer_.now_seconds());
    }
  }

  void measure() {
    observer_.on_phase(schema::Phase::measure);
    out_.steps_per_sample = steps_;
    const double end = spec_.max_time_seconds * (1 - kLatencyShare);
    StoppingRule rule{spec_, end, std::nullopt};
    SamplesSoFar so_far;
    std::optional<std::string> stopped_by;
    const std::int64_t least = is_trial_ ? 1 : schema::kLeastSequences;
    while (!stopped_by) {
      const double begin = now();
      const double prefill = largest(read_prompt());
      const double own = add_tokens(steps_);
      const double seconds = largest(own);
      out_.prefill_samples_seconds.push_back(prefill);
      out_.samples_seconds.push_back(seconds / static_cast<double>(steps_));
      if (!out_.ranks.empty()) out_.ranks.front().samples_seconds.push_back(own / static_cast<double>(steps_));
      observer_.on_window(steps_);
      progress_.report(out_.samples_seconds, std::nullopt, timer_.now_seconds());
      so_far.samples = out_.samples_seconds;
      so_far.timed_seconds += seconds;
      so_far.steps += steps_;
      const double after = now();
      so_far.now_seconds = after + (after - begin);  // when the next one would end
      if (std::ssize(out_.samples_seconds) >= least) stopped_by = is_trial_ ? "max-batches" : rule.stops(so_far);
    }
    out_.stopped_by = *stopped_by;
    std::ranges::copy(rule.unmet(so_far), std::back_inserter(out_.unmet));
  }

  void measure_latencies() {
    if (is_trial_) return;
    observer_.on_phase(schema::Phase::latency);
    std::vector<double> enqueued;
    double sequence_seconds = 0;
    do {
      const double begin = now();
      (void)read_prompt();
      for (std::int64_t step = 0; step < std::min(steps_, kMostSamples); ++step) {
        const double before = timer_.now_seconds();
        sequences_.add_token();
        enqueued.push_back(timer_.now_seconds() - before);
        timer_.synchronize();
        out_.latency_samples_seconds.push_back(timer_.now_seconds() - before);
      }
      sequence_seconds = now() - begin;
    } while (now() + sequence_seconds < spec_.max_time_seconds &&
             std::ssize(out_.latency_samples_seconds) + steps_ <= kMostSamples);
    if (timer_.asynchronous()) out_.enqueue_seconds = stats::median(enqueued);
  }

 private:
  double largest(double number) {
    agreement_.take_largest(std::span(&number, 1));
    return number;
  }
  // Since the launch began, for all processes.
  double now() { return largest(timer_.now_seconds() - begin_seconds_); }

  double read_prompt() {
    timer_.synchronize();
    const double begin = timer_.now_seconds();
    sequences_.read_prompt();
    sequences_.take_token();
    return timer_.now_seconds() - begin;
  }

  double add_tokens(std::int64_t count) {
    const double begin = timer_.now_seconds();
    for (std::int64_t i = 0; i < count; ++i) sequences_.add_token();
    timer_.synchronize();
    return timer_.now_seconds() - begin;
  }

  Sequences& sequences_;
  Timer& timer_;
  Observer& observer_;
  Agreement& agreement_;
  const schema::MeasureSpec& spec_;
  schema::Launch& out_;
  ProgressReporter progress_;
  bool is_trial_;
  std::int64_t steps_;
  double begin_seconds_;
};

}  // namespace

void measure_sequences(Sequences& sequences, Timer& timer, Observer& observer, Agreement& agreement,
                       const schema::MeasureSpec& spec, std::optional<std::int64_t> most_steps, schema::Launch& out) {
  SequenceLoop loop(sequences, timer, observer, agreement, spec, most_steps, out);
  loop.warm_up();
  loop.measure();
  loop.measure_latencies();
}

}  // namespace mpsbench::measure
