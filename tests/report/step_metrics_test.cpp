// The metrics of steps: times, rates, parts, and waiting for data.
#include "report/metric_rows.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mpsbench::report {
namespace {

using schema::CaseSpec;
using schema::Launch;
using schema::Mode;
using tests::expect_metrics;
using tests::good_launch;
using tests::inference;
using tests::kKnown;
using tests::none;
using tests::steady_samples;
using tests::training;
using tests::with;

// Launches of windows of STEPS steps each.
Launch windows(std::vector<double> samples, std::int64_t steps) {
  return with(good_launch(std::move(samples)), [&](Launch& launch) { launch.steps_per_sample = steps; });
}

Launch with_events(std::size_t events, std::int64_t steps_per_event = 1) {
  return with(windows(steady_samples(0.01, 20), 10), [&](Launch& launch) {
    launch.event_samples_seconds = steady_samples(0.01, events);
    launch.event_steps_per_sample = steps_per_event;
  });
}

std::vector<double> counted_samples(int count) {
  std::vector<double> samples;
  for (int i = 0; i < count; ++i) samples.push_back(0.001 * (1 + i));
  return samples;
}

schema::RunInfo asking_for(std::vector<double> percentiles) {
  return with(schema::RunInfo(), [&](schema::RunInfo& run) { run.percentiles = std::move(percentiles); });
}

TEST(Metrics, OfTimes) {
  const std::string windows_hide = "windows of several steps";
  const CaseSpec mps = with(inference(1), [](CaseSpec& spec) { spec.device = "mps"; });
  tests::expect_all({
      {"pooled, by hand",
       {good_launch({1, 2, 3, 4, 5}), good_launch({3, 3, 3, 3, 3})},
       {{"step_seconds/median", 3},
        {"step_seconds/mean", 3},
        {"step_seconds/min", 1},
        {"step_seconds/max", 5},
        {"step_seconds/stddev", 1.0540925533894598},  // sqrt(10 / 9)
        {"rows_per_second/value", 64.0 / 3},
        {"flops_per_second", 4'000.0 / 3},
        {"parameters", 100},
        {"trainable_parameters", 90}}},
      {"failed launches do not count",
       {with(tests::bad_launch(schema::Status::failed, "wrong output"),
             [](Launch& launch) {
               launch.samples_seconds = {100, 100, 100};
               launch.steps_per_sample = 1;
               launch.peak_resident_bytes = std::int64_t{1} << 40;
             }),
        good_launch(steady_samples(0.01, 11))},
       {{"step_seconds/median", 0.01}, {"peak_resident_bytes", 400'000'000}}},
      {"too few for p90", {windows(steady_samples(0.01, 63), 1)}, {{"step_seconds/p90", none("")}}},
      {"p90",
       {windows(steady_samples(0.01, 661), 1)},
       {{"step_seconds/p99", none("needs 662 samples, has 661")}, {"step_seconds/p90", kKnown}}},
      {"the fewest for p90", {windows(steady_samples(0.01, 64), 1)}, {{"step_seconds/p90", kKnown}}},
      {"p99", {windows(steady_samples(0.01, 662), 1)}, {{"step_seconds/p99", kKnown}}},
      {"windows hide percentiles",
       {windows(steady_samples(0.01, 2'000), 2)},
       {{"step_seconds/p90", none(windows_hide)}, {"step_seconds/median", kKnown}}},
      {"percentiles that were asked for",
       {good_launch(counted_samples(100))},
       {{"step_seconds/percentiles/50", 0.0505},
        {"latency_seconds/percentiles", nullptr},
        {"step_seconds/percentiles/95", none("needs 130 samples, has 100")}},
       tests::training(),
       tests::counted_plan(),
       asking_for({50, 95})},
      {"windows hide them, too",
       {windows(counted_samples(100), 2)},
       {{"step_seconds/percentiles/50", none(windows_hide)}},
       tests::training(),
       tests::counted_plan(),
       asking_for({50})},
      {"events of single steps give percentiles",
       {with_events(65)},
       {{"step_seconds/count", 20}, {"step_seconds/p99", none("has 65")}, {"step_seconds/p90", kKnown}}},
      {"events of several steps do not", {with_events(65, 2)}, {{"step_seconds/p90", none(windows_hide)}}},
      {"on the CPU the latency is the step",
       {good_launch(steady_samples(0.01, 101))},
       {{"latency_seconds/median", 0.01},
        {"step_seconds/p90", 0.01005},
        {"latency_seconds/p90", 0.01005},
        {"latency_seconds/count", 101}},
       inference(1)},
      {"training has none", {good_launch(steady_samples(0.01, 101))}, {{"latency_seconds", none("nobody waits")}}},
      {"an asynchronous device has its own samples",
       {with(windows(steady_samples(0.01, 20), 10),
             [](Launch& launch) { launch.latency_samples_seconds = steady_samples(0.03, 65); })},
       {{"latency_seconds/median", 0.03}, {"step_seconds/p90", none(windows_hide)}, {"latency_seconds/p90", kKnown}},
       mps},
      {"the loop of the median launch",
       {with(good_launch({0.01}), [](Launch& launch) { launch.loop_seconds = 0.25; }),
        with(good_launch({0.01}), [](Launch& launch) { launch.loop_seconds = 0.21; }),
        with(good_launch({0.01}), [](Launch& launch) { launch.loop_seconds = 0.22; })},
       {{"loop_seconds", 0.22}},
       with(training(), [](CaseSpec& spec) { spec.iterations = 21; })},
      {"the drift of the median launch",
       {good_launch({1, 1, 1, 1, 1, 1, 1, 1, 1, 1.1}), good_launch({1, 1, 1, 1, 1, 1, 1, 1, 1, 1.2}),
        good_launch({1, 1, 1, 1, 1, 1, 1, 1, 1, 2})},
       {{"drift_ratio", 1.2}}},
      {"too few samples to drift",
       {good_launch(std::vector<double>(9, 0.010))},
       {{"drift_ratio", none("needs a launch with 10 samples")}}},
  });
}

// The launches' medians are 0.010, 0.012 and 0.020. The median of all samples would be 0.012 or less, because the long
// launch has most of them. The launches differ far more than the samples in each of them, which the interval must show.
TEST(Metrics, MedianIsTheMedianOfLaunchMediansAndLiesInItsInterval) {
  const auto step = expect_metrics({"three launches",
                                    {good_launch(steady_samples(0.010, 41)), good_launch(steady_samples(0.012, 11)),
                                     good_launch(steady_samples(0.020, 11))},
                                    {{"step_seconds/median", 0.012}, {"step_seconds/count", 63}}})
                        .metrics.step_seconds;
  ASSERT_TRUE(step.ci95);
  EXPECT_LE(step.ci95->low, 0.012);
  EXPECT_GE(step.ci95->high, 0.012);
  EXPECT_GT(step.ci95->high - step.ci95->low, 0.008);
}

Launch of_epochs(std::vector<double> samples, std::vector<schema::EpochRecord> epochs) {
  return with(good_launch(std::move(samples)), [&](Launch& launch) { launch.epochs = std::move(epochs); });
}

TEST(Metrics, OfRates) {
  const std::vector<Launch> steady{good_launch(std::vector<double>(21, 0.010))};
  const auto padded = [](schema::Pad pad) {
    return with(tests::sample_spec("bert-base", Mode::infer, 64), [&](CaseSpec& spec) {
      spec.input = schema::Input::host;
      spec.pad = pad;
    });
  };
  const std::vector<Launch> with_inputs{with(steady[0], [](Launch& launch) { launch.input_times = {0.008, 0.004}; })};
  const CaseSpec epochs = with(tests::sample_spec("mlp-mnist", Mode::infer, 128), [](CaseSpec& spec) {
    spec.rows = 10'000;
    spec.epochs = 1;
  });
  const std::vector<double> steps(79, 0.010);
  const schema::RunInfo priced = with(schema::RunInfo(), [](schema::RunInfo& run) { run.price_dollars = 2000; });
  const auto with_bytes =
      with(tests::counted_plan(), [](schema::NetworkPlan& plan) { plan.parameter_bytes = 5'000'000; });
  tests::expect_all({
      {"no count fits batches of many lengths",
       with_inputs,
       {{"parameters", 100},
        {"rows_per_second/value", 6400},
        {"flops_per_step", none("--pad longest")},
        {"flops_per_second", none("--pad longest")},
        {"ceiling_share", none("--pad longest")},
        {"bytes_per_second", none("--pad longest")},
        {"data_wait_share", none("--pad longest")}},
       padded(schema::Pad::longest),
       with_bytes,
       {},
       1e6},
      {"one of one length", with_inputs, {{"flops_per_step", 4'000}}, padded(schema::Pad::max)},
      {"batches alone have no network",
       {windows(std::vector<double>(21, 0.25), 8)},
       {{"rows_per_second/value", 128},
        {"step_seconds/median", 0.25},
        {"parameters", none("no network")},
        {"flops_per_step", none("no network")},
        {"flops_per_second", none("no network")},
        {"ceiling_share", none("no network")},
        {"data_wait_share", none("--mode data")},
        {"latency_seconds", none("")}},
       tests::sample_spec("vgg16", Mode::data, 32),
       std::nullopt},
      {"code that is not counted has times only",
       {good_launch(steady_samples(0.5, 11))},
       {{"parameters", none("cannot count")},
        {"trainable_parameters", none("cannot count")},
        {"flops_per_step", none("cannot count")},
        {"flops_per_second", none("cannot count")},
        {"rows_per_second/value", kKnown}},
       tests::training(),
       std::nullopt},
      {"half of the ceiling", steady, {{"ceiling_share", 0.5}}, inference(), tests::counted_plan(), {}, 800'000},
      {"not clipped", steady, {{"ceiling_share", 2}}, inference(), tests::counted_plan(), {}, 200'000},
      {"no ceiling", steady, {{"ceiling_share", none("--ceilings")}}, inference()},
      {"no step",
       {},
       {{"ceiling_share", none("no step was measured")},
        {"bytes_per_second", none("no step was measured")},
        {"rows_per_second_per_1000_dollars", none("no step was measured")}},
       inference(),
       with_bytes,
       priced,
       1e6},
      {"some of the CPUs have no ceiling",
       {},
       {{"ceiling_share", none("--affinity")}},
       with(inference(), [](CaseSpec& spec) { spec.affinity = "0"; })},
      // Two steps of 32 rows and one of 8. The windows have two steps and one, so the mean of the samples is no step's.
      {"the rows of a kept last batch",
       std::vector(2, with(of_epochs({1, 0.25}, {{2.25, 3, 72}}), [](Launch& launch) { launch.steps_per_sample = 2; })),
       {{"rows_per_second/value", 32},
        {"flops_per_second", 4'000},
        {"epoch_seconds/kind", "measured"},
        {"epoch_seconds/value", 2.25},
        {"rows_per_second/ci95", kKnown}},
       with(training(32),
            [](CaseSpec& spec) {
              spec.rows = 72;
              spec.epochs = 1;
              spec.last_batch = schema::LastBatch::keep;
            })},
      // Inference fills the last batch up with rows of the next epoch, which do not count.
      {"the rows of measured epochs",
       {of_epochs(steps, {{2.5, 79, 10'000}}), of_epochs(steps, {{2.0, 79, 10'000}, {3.0, 79, 10'000}}),
        of_epochs(steps, {{4.0, 79, 10'000}})},
       {{"rows_per_second/kind", "epochs"},
        {"rows_per_second/value", 4'000},
        {"epoch_seconds/value", 2.5},
        {"mean_rows_per_second", 4'000},
        {"flops_per_second", 4'000 / 128.0 * 4'000}},
       epochs},
      {"one launch measured no whole epoch",
       {of_epochs(steps, {{2.5, 79, 10'000}}), good_launch(steps)},
       {{"rows_per_second/kind", "median-step"}, {"rows_per_second/value", 12'800}},
       epochs},
      {"the rows of a loop",
       std::vector(2,
                   with(good_launch(std::vector<double>(100, 0.010)), [](Launch& launch) { launch.loop_seconds = 2; })),
       {{"rows_per_second/kind", "loop"}, {"rows_per_second/value", 3'200}, {"loop_seconds", 2}},
       with(training(), [](CaseSpec& spec) { spec.iterations = 100; })},
      {"the least traffic", steady, {{"bytes_per_second", 5e8}}, inference(), with_bytes},
      {"a price",
       steady,
       {{"rows_per_second_per_1000_dollars", 3200}},
       tests::training(),
       tests::counted_plan(),
       priced},
      {"no price", steady, {{"rows_per_second_per_1000_dollars", none("--price")}}},
  });
}

TEST(Metrics, RatesFollowTheMedianStepAndTheEpochTheMeanOne) {
  std::vector<double> samples(40, 1.0);
  for (std::size_t i = 5; i < samples.size(); i += 10) samples[i] = 11;
  const auto metrics = expect_metrics({"four slow steps",
                                       {good_launch(samples), good_launch(samples)},
                                       {{"step_seconds/median", 1},
                                        {"rows_per_second/value", 32},
                                        {"rows_per_second/kind", "median-step"},
                                        {"flops_per_second", 4'000},
                                        {"mean_rows_per_second", 32.0 / 2},
                                        {"epoch_seconds/value", 20},
                                        {"rows_per_second/ci95", kKnown}},
                                       with(training(32), [](CaseSpec& spec) { spec.rows = 320; })})
                           .metrics;
  ASSERT_TRUE(metrics.epoch_seconds.ci95);
  EXPECT_GT(metrics.epoch_seconds.ci95->high, 21);  // four slow steps of forty make the mean uncertain
}

TEST(Metrics, TheRatesIntervalIsThatOfTheMedianStep) {
  const auto metrics =
      expect_metrics({"three launches",
                      {good_launch({1, 1, 1, 1, 4}), good_launch({2, 2, 2, 2, 2}), good_launch({3, 3, 3, 3, 3})},
                      {{"rows_per_second/value", 64.0 / 2},
                       {"step_seconds/mean", 33.0 / 15},  // of all samples
                       {"mean_rows_per_second", 64 / (33.0 / 15)}}})
          .metrics;
  ASSERT_TRUE(metrics.step_seconds.ci95 && metrics.rows_per_second.ci95);
  EXPECT_DOUBLE_EQ(metrics.rows_per_second.ci95->low, 64 / metrics.step_seconds.ci95->high);
  EXPECT_DOUBLE_EQ(metrics.rows_per_second.ci95->high, 64 / metrics.step_seconds.ci95->low);
}

TEST(Metrics, OfParts) {
  const auto parts = [](const schema::StepParts& seconds) {
    return with(good_launch({0.1}), [&](Launch& launch) { launch.step_parts = seconds; });
  };
  const Launch unknown = good_launch({0.1});
  const auto all_none = [](const char* why) {
    return nlohmann::json{
        {"forward_seconds", none(why)}, {"backward_seconds", none(why)}, {"update_seconds", none(why)}};
  };
  tests::expect_all({
      {"medians over the launches that know them",
       {parts({1, 20, 300}), parts({3, 10, 100}), parts({2, 30, 200}), unknown},
       {{"forward_seconds", 2}, {"backward_seconds", 20}, {"update_seconds", 200}}},
      {"unknown", {unknown}, all_none("no launch kept them")},
      {"no launch", {}, all_none("no launch succeeded")},
      {"inference", {unknown}, all_none("only training"), inference()},
      {"a graph",
       {unknown},
       all_none("replayed as a whole"),
       with(training(), [](CaseSpec& spec) { spec.engine = schema::Engine::graph; })},
      {"a published loop",
       {unknown},
       all_none("--as-published"),
       with(training(), [](CaseSpec& spec) { spec.as_published = true; })},
      {"other lengths",
       {parts({1, 2, 3})},
       all_none("--pad longest"),
       with(training(), [](CaseSpec& spec) { spec.pad = schema::Pad::longest; })},
  });
}

TEST(Metrics, WaitingForDataIsWhatAResidentBatchSaves) {
  const auto waiting = [](double resident, double feed) {
    return std::vector{with(good_launch(std::vector<double>(21, 0.010)),
                            [&](Launch& launch) { launch.input_times = {resident, feed}; })};
  };
  const CaseSpec spec = with(training(), [](CaseSpec& one) {
    one.device = "cuda";
    one.input = schema::Input::host;
  });
  tests::expect_all({
      {"saved", waiting(0.008, 0.004), {{"data_wait_share", 0.2}}, spec},
      {"at most twice the feed", waiting(0.008, 0.0005), {{"data_wait_share", 0.1}}, spec},
      {"only noise", waiting(0.011, 0.004), {{"data_wait_share", 0}}, spec},
      {"not measured", {good_launch({0.01})}, {{"data_wait_share", none("")}}, spec},
  });
}

TEST(Metrics, EveryNullHasItsReason) {
  const CaseSpec epoch = with(training(), [](CaseSpec& spec) {
    spec.rows = 64;
    spec.epochs = 1;
  });
  const std::vector<CaseSpec> specs{training(), inference(),
                                    with(inference(), [](CaseSpec& spec) { spec.device = "mps"; }),
                                    with(training(), [](CaseSpec& spec) { spec.rows = 1; }), epoch};
  const std::vector<std::vector<Launch>> situations{
      {},
      {tests::bad_launch(schema::Status::oom, "out of memory")},
      {good_launch({0.01})},
      {good_launch({0.01}), good_launch({0.01})},
      {good_launch(steady_samples(0.01, 700))},
      {windows(steady_samples(0.01, 700), 4)},
      {of_epochs({1}, {{1, 1, 64}})},
      {with(good_launch({}), [](Launch& launch) { launch.peak_resident_bytes.reset(); })}};
  for (const CaseSpec& spec : specs) {
    for (const auto& launches : situations) expect_metrics({"", launches, {}, spec});
  }
}

}  // namespace
}  // namespace mpsbench::report
