#include "report/metrics/metrics.hpp"

#include "report/work_counts.hpp"
#include "support/sample_run.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace mpsbench::report {
namespace {

using schema::Launch;
using schema::Mode;
using tests::bad_launch;
using tests::good_launch;
using tests::sample_spec;
using tests::steady_samples;

// Returns the paths of all null metrics, such as "metrics.step_seconds.p90".
std::set<std::string> null_paths(const nlohmann::ordered_json& value, const std::string& path) {
  std::set<std::string> paths;
  if (value.is_null()) paths.insert(path);
  if (value.is_object()) {
    for (const auto& [key, inner] : value.items()) paths.merge(null_paths(inner, path + "." + key));
  }
  return paths;
}

void expect_reason_for_every_null(const schema::CaseSpec& spec, const std::vector<Launch>& launches) {
  const MetricsAndNotes computed = compute_metrics(spec, tests::kWorkCounts, launches);
  schema::CaseResult result;
  result.spec = spec;
  result.metrics = computed.metrics;
  const auto nulls = null_paths(schema::to_json(result)["metrics"], "metrics");
  EXPECT_FALSE(nulls.empty());
  for (const std::string& path : nulls) {
    const std::string group = path.substr(0, path.rfind('.'));
    const bool explained = computed.notes.contains(path) || computed.notes.contains(group);
    EXPECT_TRUE(explained) << path;
  }
  for (const auto& [path, reason] : computed.notes) {
    EXPECT_FALSE(reason.empty()) << path;
    const bool about_null = nulls.contains(path) || nulls.contains(path + ".median") || nulls.contains(path + ".value");
    EXPECT_TRUE(about_null) << path << " is not null but has a note";
  }
}

TEST(Metrics, DriftIsThatOfTheMedianLaunch) {
  std::vector<Launch> launches;
  for (const double last : {0.011, 0.012, 0.020}) {
    std::vector<double> samples(10, 0.010);
    samples.back() = last;
    launches.push_back(good_launch(samples));
  }
  const schema::CaseSpec spec = sample_spec("mlp", Mode::train, 64);
  EXPECT_DOUBLE_EQ(compute_metrics(spec, tests::kWorkCounts, launches).metrics.drift_ratio.value(), 1.2);
  const auto few = compute_metrics(spec, tests::kWorkCounts, std::vector{good_launch(std::vector<double>(9, 0.010))});
  EXPECT_EQ(few.notes.at("metrics.drift_ratio"), "needs a launch with 10 samples");
}

TEST(Metrics, OfBatchesOfManyLengthsCountNoOperations) {
  schema::CaseSpec spec = sample_spec("bert-base", Mode::infer, 64);
  spec.input = schema::Input::host;
  spec.pad = schema::Pad::longest;
  Launch launch = good_launch(std::vector<double>(21, 0.010));
  launch.input_times = {0.008, 0.004};
  const MetricsAndNotes computed = compute_metrics(spec, tests::kWorkCounts, std::vector{launch}, 1e6);
  EXPECT_EQ(computed.metrics.parameters, 100);
  EXPECT_FALSE(computed.metrics.flops_per_step || computed.metrics.flops_per_second || computed.metrics.ceiling_share ||
               computed.metrics.data_wait_share);
  EXPECT_DOUBLE_EQ(computed.metrics.rows_per_second.value.value(), 6400);
  expect_reason_for_every_null(spec, {launch});
  spec.pad = schema::Pad::max;
  EXPECT_EQ(compute_metrics(spec, tests::kWorkCounts, std::vector{launch}).metrics.flops_per_step, 4'000);
}

TEST(Metrics, OfBatchesAloneHaveNoNetwork) {
  const schema::CaseSpec spec = sample_spec("vgg16", Mode::data, 32);
  Launch launch = good_launch(std::vector<double>(21, 0.25));
  launch.steps_per_sample = 8;
  const MetricsAndNotes computed = compute_metrics(spec, std::nullopt, std::vector{launch});
  EXPECT_DOUBLE_EQ(computed.metrics.rows_per_second.value.value(), 128);
  EXPECT_EQ(computed.metrics.step_seconds.median, 0.25);
  for (const char* name : {"parameters", "flops_per_step", "flops_per_second", "ceiling_share"}) {
    EXPECT_NE(computed.notes.at(std::string("metrics.") + name).find("no network"), std::string::npos) << name;
  }
  EXPECT_TRUE(computed.notes.contains("metrics.data_wait_share"));
  EXPECT_TRUE(computed.notes.contains("metrics.latency_seconds"));
}

TEST(Metrics, MedianIsTheMedianOfLaunchMediansAndLiesInItsInterval) {
  // The launches' medians are 0.010, 0.012 and 0.020. The median of all samples would be 0.012 or less,
  // because the long launch has most of them.
  const std::vector<Launch> launches{good_launch(steady_samples(0.010, 41)), good_launch(steady_samples(0.012, 11)),
                                     good_launch(steady_samples(0.020, 11))};
  const auto metrics = compute_metrics(sample_spec("mlp", Mode::train, 64), tests::kWorkCounts, launches).metrics;
  EXPECT_DOUBLE_EQ(metrics.step_seconds.median.value(), 0.012);
  EXPECT_EQ(metrics.step_seconds.count, 63);
  ASSERT_TRUE(metrics.step_seconds.ci95);
  EXPECT_LE(metrics.step_seconds.ci95->low, 0.012);
  EXPECT_GE(metrics.step_seconds.ci95->high, 0.012);
  // The launches differ far more than the samples in each of them. The interval must show it.
  EXPECT_GT(metrics.step_seconds.ci95->high - metrics.step_seconds.ci95->low, 0.008);
}

TEST(Metrics, PooledStatisticsAndRatesByHand) {
  const std::vector<Launch> launches{good_launch({1, 2, 3, 4, 5}), good_launch({3, 3, 3, 3, 3})};
  const auto metrics = compute_metrics(sample_spec("mlp", Mode::train, 64), tests::kWorkCounts, launches).metrics;
  EXPECT_DOUBLE_EQ(metrics.step_seconds.median.value(), 3);
  EXPECT_DOUBLE_EQ(metrics.step_seconds.mean.value(), 3);
  EXPECT_DOUBLE_EQ(metrics.step_seconds.min.value(), 1);
  EXPECT_DOUBLE_EQ(metrics.step_seconds.max.value(), 5);
  EXPECT_NEAR(metrics.step_seconds.stddev.value(), 1.0540925533894598, 1e-12);  // sqrt(10 / 9)
  EXPECT_DOUBLE_EQ(metrics.rows_per_second.value.value(), 64.0 / 3);
  EXPECT_DOUBLE_EQ(metrics.flops_per_second.value(), 4'000.0 / 3);
  EXPECT_EQ(metrics.parameters, 100);
  EXPECT_EQ(metrics.trainable_parameters, 90);
}

TEST(Metrics, RatesFollowTheMedianStepAndTheEpochTheMeanOne) {
  std::vector<double> samples(40, 1.0);
  for (std::size_t i = 5; i < samples.size(); i += 10) samples[i] = 11;
  const std::vector<Launch> launches{good_launch(samples), good_launch(samples)};
  schema::CaseSpec spec = sample_spec("mlp", Mode::train, 32);
  spec.rows = 320;
  const auto metrics = compute_metrics(spec, tests::kWorkCounts, launches).metrics;
  EXPECT_DOUBLE_EQ(metrics.step_seconds.median.value(), 1);
  EXPECT_DOUBLE_EQ(metrics.rows_per_second.value.value(), 32);
  EXPECT_EQ(metrics.rows_per_second.kind, schema::kOfMedianStep);
  EXPECT_DOUBLE_EQ(metrics.flops_per_second.value(), 4'000);
  EXPECT_DOUBLE_EQ(metrics.mean_rows_per_second.value(), 32.0 / 2);
  EXPECT_DOUBLE_EQ(metrics.epoch_seconds.value.value(), 20);
  ASSERT_TRUE(metrics.rows_per_second.ci95 && metrics.epoch_seconds.ci95);
  EXPECT_GT(metrics.epoch_seconds.ci95->high, 21);  // four slow steps of forty make the mean uncertain
}

TEST(Metrics, TheRatesIntervalIsThatOfTheMedianStep) {
  const std::vector<Launch> launches{good_launch({1, 1, 1, 1, 4}), good_launch({2, 2, 2, 2, 2}),
                                     good_launch({3, 3, 3, 3, 3})};
  const auto metrics = compute_metrics(sample_spec("mlp", Mode::train, 64), tests::kWorkCounts, launches).metrics;
  ASSERT_TRUE(metrics.step_seconds.ci95 && metrics.rows_per_second.ci95);
  EXPECT_DOUBLE_EQ(metrics.rows_per_second.value.value(), 64.0 / 2);
  EXPECT_DOUBLE_EQ(metrics.rows_per_second.ci95->low, 64 / metrics.step_seconds.ci95->high);
  EXPECT_DOUBLE_EQ(metrics.rows_per_second.ci95->high, 64 / metrics.step_seconds.ci95->low);
  EXPECT_DOUBLE_EQ(metrics.mean_rows_per_second.value(), 64 / metrics.step_seconds.mean.value());
  EXPECT_DOUBLE_EQ(metrics.step_seconds.mean.value(), 33.0 / 15) << "of all samples";
}

TEST(Metrics, OfCodeThatIsNotCountedThereAreTimesOnly) {
  const std::vector<Launch> launches{good_launch(steady_samples(0.5, 11))};
  const auto computed = compute_metrics(sample_spec("mlp", Mode::train, 32), std::nullopt, launches);
  EXPECT_TRUE(computed.metrics.rows_per_second.value);
  EXPECT_FALSE(computed.metrics.flops_per_second);
  EXPECT_FALSE(computed.metrics.parameters);
  for (const char* name : {"parameters", "trainable_parameters", "flops_per_step", "flops_per_second"})
    EXPECT_TRUE(computed.notes.contains(std::string("metrics.") + name)) << name;
}

TEST(Metrics, LaunchesThatFailedDoNotCount) {
  Launch crashed = bad_launch(schema::Status::failed, "wrong output");
  crashed.samples_seconds = {100, 100, 100};
  crashed.steps_per_sample = 1;
  crashed.peak_resident_bytes = std::int64_t{1} << 40;
  const std::vector<Launch> launches{crashed, good_launch(steady_samples(0.01, 11))};
  const auto metrics = compute_metrics(sample_spec("mlp", Mode::train, 64), tests::kWorkCounts, launches).metrics;
  EXPECT_DOUBLE_EQ(metrics.step_seconds.median.value(), 0.01);
  EXPECT_EQ(metrics.peak_resident_bytes.value(), 400'000'000);
}

TEST(Metrics, PeakIsTheLargestLaunch) {
  const std::vector<Launch> launches{good_launch({1, 1}, 0), good_launch({1, 1}, 5), good_launch({1, 1}, 2)};
  const auto metrics = compute_metrics(sample_spec("mlp", Mode::train, 64), tests::kWorkCounts, launches).metrics;
  EXPECT_EQ(metrics.peak_resident_bytes.value(), 400'000'005);
}

TEST(Metrics, PeakIsOfLaunchesThatHeldNoCopies) {
  Launch compared = good_launch({1, 1}, 9);
  compared.agreement = {{schema::Reference::cpu, schema::Compared::output, 0.01, 0.1}};
  Launch tried = good_launch({1, 1}, 8);
  tried.sensor_notes = {{"agreement", "out of memory"}};
  compared.peak_device_bytes = 700;
  const auto metrics_of = [](const std::vector<Launch>& launches) {
    return compute_metrics(sample_spec("mlp", Mode::train, 64), tests::kWorkCounts, launches).metrics;
  };
  const auto metrics = metrics_of({compared, tried, good_launch({1, 1}, 5), good_launch({1, 1}, 6)});
  EXPECT_EQ(metrics.peak_resident_bytes.value(), 400'000'006);
  EXPECT_EQ(metrics.peak_device_bytes.value(), 700) << "the device's peak begins after the comparison";
  EXPECT_EQ(metrics_of({compared, tried}).peak_resident_bytes.value(), 400'000'009);
}

TEST(Metrics, EveryNullHasItsReason) {
  const auto train = sample_spec("mlp", Mode::train, 64);
  const auto infer = sample_spec("mlp", Mode::infer, 64);
  schema::CaseSpec mps = infer;
  mps.device = "mps";
  schema::CaseSpec small = train;
  small.rows = 1;
  schema::CaseSpec epoch = train;
  epoch.rows = 64;
  epoch.epochs = 1;
  Launch windows = good_launch(steady_samples(0.01, 700));
  windows.steps_per_sample = 4;
  Launch one_epoch = good_launch({1});
  one_epoch.epochs = {{1, 1, 64}};
  Launch silent = good_launch({});
  silent.peak_resident_bytes.reset();
  const std::vector<std::vector<Launch>> situations{{},
                                                    {bad_launch(schema::Status::oom, "out of memory")},
                                                    {good_launch({0.01})},
                                                    {good_launch({0.01}), good_launch({0.01})},
                                                    {good_launch(steady_samples(0.01, 700))},
                                                    {windows},
                                                    {one_epoch},
                                                    {silent}};
  for (const auto& spec : {train, infer, mps, small, epoch}) {
    for (const auto& launches : situations) expect_reason_for_every_null(spec, launches);
  }
}

}  // namespace
}  // namespace mpsbench::report
