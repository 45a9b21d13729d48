#include "report/metrics/flags.hpp"

#include "base/json_file.hpp"
#include "support/sample_run.hpp"
#include "support/sensor_trace.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace mpsbench::report {
namespace {

using schema::Launch;
using tests::good_launch;
using tests::steady_samples;

// A case of two calm launches, which raises no flag.
struct Calm {
  schema::CaseResult result;
  schema::HostInfo host;

  Calm() {
    result.launches = {good_launch(steady_samples(0.01, 41), 0), good_launch(steady_samples(0.01, 41), 1)};
    result.metrics.step_seconds.median = 1.0;
    result.metrics.step_seconds.ci95 = schema::Interval{0.99, 1.01};
    host.power.source = "ac";
  }

  [[nodiscard]] std::vector<std::string> flags(std::int64_t planned = 2) const {
    return flags_of(result, planned, host);
  }
};

using Flags = std::vector<std::string>;

TEST(Flags, CalmCaseHasNone) {
  EXPECT_EQ(Calm().flags(), Flags{});
}

TEST(Flags, Noisy) {
  Calm calm;
  calm.result.metrics.step_seconds.ci95 = schema::Interval{0.9501, 1.0499};
  EXPECT_EQ(calm.flags(), Flags{});
  calm.result.metrics.step_seconds.ci95 = schema::Interval{0.9499, 1.0501};
  EXPECT_EQ(calm.flags(), Flags{"noisy"});
}

TEST(Flags, StallsMoveTheMeanStepAwayFromTheMedianOne) {
  Calm calm;
  for (const double mean : {0.91, 1.0, 1.09}) {
    calm.result.metrics.step_seconds.mean = mean;
    EXPECT_EQ(calm.flags(), Flags{}) << mean;
  }
  for (const double mean : {0.89, 1.11}) {
    calm.result.metrics.step_seconds.mean = mean;
    EXPECT_EQ(calm.flags(), Flags{"stalls"}) << mean;
  }
}

TEST(Flags, AnEfficiencyFarAboveOneIsSuperLinear) {
  Calm calm;
  calm.result.metrics.scaling_efficiency.value = 1.09;
  EXPECT_EQ(calm.flags(), Flags{});
  calm.result.metrics.scaling_efficiency.value = 11.85;
  EXPECT_EQ(calm.flags(), Flags{"super-linear"});
}

TEST(Flags, LatencyIsJudgedAsStepsAre) {
  Calm calm;
  for (Launch& launch : calm.result.launches) launch.latency_samples_seconds = steady_samples(0.02, 41);
  calm.result.metrics.latency_seconds.median = 1.0;
  calm.result.metrics.latency_seconds.ci95 = schema::Interval{0.9, 1.1};
  EXPECT_EQ(calm.flags(), Flags{"noisy"});
  calm.result.metrics.latency_seconds.ci95 = schema::Interval{0.99, 1.01};
  EXPECT_EQ(calm.flags(), Flags{});
  calm.result.launches[0].latency_samples_seconds.resize(2);
  EXPECT_EQ(calm.flags(), Flags{"few-samples"});
}

TEST(Flags, ClocksDisagree) {
  Calm calm;
  calm.result.launches[1].event_check = schema::EventCheck{1, 1, true};
  EXPECT_EQ(calm.flags(), Flags{});
  calm.result.launches[1].event_check->agrees = false;
  EXPECT_EQ(calm.flags(), Flags{"clocks-disagree"});
}

TEST(Flags, LaunchBound) {
  Calm calm;
  EXPECT_EQ(calm.result.metrics.step_seconds.median, 1.0);
  calm.result.launches[0].enqueue_seconds = 0.79;
  EXPECT_EQ(calm.flags(), Flags{});
  calm.result.launches[0].enqueue_seconds = 0.81;
  EXPECT_EQ(calm.flags(), Flags{"launch-bound"});
}

TEST(Flags, InputBound) {
  Calm calm;
  calm.result.metrics.data_wait_share = 0.09;
  EXPECT_EQ(calm.flags(), Flags{});
  calm.result.metrics.data_wait_share = 0.11;
  EXPECT_EQ(calm.flags(), Flags{"input-bound"});
}

// 45 samples that rise by CHANGE times the median from the first third to the last.
std::vector<double> rising(double change) {
  std::vector<double> samples = steady_samples(1.0, 45);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i] = 1 + 0.0001 * (samples[i] - 1) + change * (static_cast<double>(i) - 22) / 30;
  }
  return samples;
}

TEST(Flags, Drifting) {
  Calm calm;
  calm.result.launches[1] = good_launch(rising(0.045), 1);
  EXPECT_EQ(calm.flags(), Flags{});
  calm.result.launches[1] = good_launch(rising(0.055), 1);
  EXPECT_EQ(calm.flags(), Flags{"drifting"});
  calm.result.launches[1] = good_launch(rising(-0.055), 1);
  EXPECT_EQ(calm.flags(), Flags{"drifting"});
}

TEST(Flags, Leaking) {
  Calm calm;
  for (std::int64_t step = 1; step <= 20; ++step) {
    calm.result.launches[0].live_bytes.push_back({step, 1'000'000 * step});
    calm.result.launches[1].live_bytes.push_back({step, 1'000'000});
  }
  EXPECT_EQ(calm.flags(), Flags{"leaking"});
  calm.result.launches[0].live_bytes = calm.result.launches[1].live_bytes;
  EXPECT_EQ(calm.flags(), Flags{});
}

TEST(Flags, Bimodal) {
  Calm calm;
  std::vector<double> samples = steady_samples(0.01, 60);
  for (std::size_t i = 0; i < samples.size(); i += 3) samples[i] = 0.02;
  calm.result.launches[0] = good_launch(samples);
  EXPECT_EQ(calm.flags(), Flags{"bimodal"});
  std::fill(samples.begin() + 3, samples.end(), 0.01);
  calm.result.launches[0] = good_launch(samples);  // one slow sample is an outlier, not a mode
  EXPECT_EQ(calm.flags(), Flags{});
}

TEST(Flags, BackgroundLoad) {
  Calm calm;
  calm.result.launches[0].sensors = {{"other_cpu_share", "1", 0.05}};
  EXPECT_EQ(calm.flags(), Flags{});
  calm.result.launches[0].sensors = {{"other_cpu_share", "1", 0.051}};
  EXPECT_EQ(calm.flags(), Flags{"background-load"});
  calm.result.launches[0].sensors = {{"something_else", "1", 0.9}};
  EXPECT_EQ(calm.flags(), Flags{});
}

TEST(Flags, BackgroundLoadOfTheGpu) {
  Calm calm;
  calm.result.launches[0].sensors = {{"gpu_other_utilization", "1", 0.05}};
  EXPECT_EQ(calm.flags(), Flags{});
  calm.result.launches[0].sensors = {{"gpu_other_utilization", "1", 0.06}};
  EXPECT_EQ(calm.flags(), Flags{"background-load"});
}

TEST(Flags, CpuFallbackOn) {
  Calm calm;
  calm.result.spec.device = "mps";
  EXPECT_EQ(calm.flags(), Flags{});
  for (const char* off : {"0", "", "no"}) {
    calm.host.environment["PYTORCH_ENABLE_MPS_FALLBACK"] = off;
    EXPECT_EQ(calm.flags(), Flags{}) << off;
  }
  calm.host.environment["PYTORCH_ENABLE_MPS_FALLBACK"] = "1";
  EXPECT_EQ(calm.flags(), Flags{"cpu-fallback-on"});
  calm.result.spec.device = "cpu";
  EXPECT_EQ(calm.flags(), Flags{}) << "the variable affects only MPS";
}

TEST(Flags, CpuFallback) {
  Calm calm;
  calm.result.launches[0].sensors = {{"mps_cpu_fallback_operators", "1", 0}};
  EXPECT_EQ(calm.flags(), Flags{});
  calm.result.launches[0].sensors = {{"mps_cpu_fallback_operators", "1", 1}};
  EXPECT_EQ(calm.flags(), Flags{"cpu-fallback"});
}

// Recorded sensor traces raise the same flags as hand-written records: throttled, on-battery and
// background-load.
TEST(Flags, OfEachSensorTraceAreThoseThatItSays) {
  const std::vector<tests::SensorTrace> traces = tests::all_sensor_traces();
  EXPECT_FALSE(traces.empty());
  for (const tests::SensorTrace& trace : traces) {
    Calm calm;
    calm.result.launches[1].sensors = trace.launch.sensors;
    EXPECT_EQ(calm.flags(), trace.flags) << trace.name;
  }
}

TEST(Flags, OfTheSensorsOfOtherRanks) {
  Calm calm;
  calm.result.launches[0].ranks = {{.device = "cuda"},
                                   {.rank = 1, .device = "cuda:1", .sensors = {{"gpu_throttled", "1", 0}}}};
  EXPECT_EQ(calm.flags(), Flags{});
  calm.result.launches[0].ranks[1].sensors = {{"gpu_throttled", "1", 0.1, 0, 1}};
  EXPECT_EQ(calm.flags(), Flags{"throttled"});
}

TEST(Flags, ThrottledByAQuota) {
  Calm calm;
  calm.result.launches[0].sensors = {{"cpu_quota_pauses", "1", 0}};
  EXPECT_EQ(calm.flags(), Flags{});
  EXPECT_FALSE(was_paused_by_quota(calm.result.launches[0]));
  calm.result.launches[0].sensors = {{"cpu_quota_pauses", "1", 3}};
  EXPECT_EQ(calm.flags(), Flags{"throttled"});
  EXPECT_TRUE(was_paused_by_quota(calm.result.launches[0]));
}

TEST(Flags, OnBattery) {
  Calm calm;
  calm.host.power.source = std::nullopt;
  EXPECT_EQ(calm.flags(), Flags{});
  calm.host.power.source = "battery";
  EXPECT_EQ(calm.flags(), Flags{"on-battery"});
}

TEST(Flags, FewSamples) {
  Calm calm;
  calm.result.launches[1] = good_launch(std::vector<double>(10, 0.01), 1);
  EXPECT_EQ(calm.flags(), Flags{});
  calm.result.launches[1] = good_launch(std::vector<double>(9, 0.01), 1);
  EXPECT_EQ(calm.flags(), Flags{"few-samples"});
}

TEST(Flags, WithinLaunch) {
  Calm calm;
  calm.result.launches[1] = tests::bad_launch(schema::Status::crashed, "", 1);
  EXPECT_EQ(calm.flags(), Flags{"within-launch"});
}

TEST(Flags, Incomplete) {
  Calm calm;
  EXPECT_EQ(calm.flags(3), Flags{"incomplete"});
  calm.result.launches.push_back(tests::bad_launch(schema::Status::interrupted, "", 2));
  EXPECT_EQ(calm.flags(3), Flags{"incomplete"});
  calm.result.launches[2].status = schema::Status::crashed;  // it ran, but it crashed
  EXPECT_EQ(calm.flags(3), Flags{});
}

TEST(Flags, Diverged) {
  Calm calm;
  calm.result.launches[0].losses = {1e30, std::nullopt};
  EXPECT_EQ(calm.flags(), Flags{"diverged"});
}

TEST(Flags, CaseWithoutFiguresHasNone) {
  Calm calm;
  calm.host.power.source = "battery";
  calm.result.launches = {tests::bad_launch(schema::Status::oom, "")};
  EXPECT_EQ(calm.flags(), Flags{});
}

TEST(Flags, Published) {
  Calm calm;
  calm.result.launches.clear();
  calm.result.metrics = {};
  calm.result.published.emplace();
  EXPECT_EQ(calm.flags(), Flags{"published"});
  calm.result.metrics.step_seconds.mean = 1;
  calm.result.metrics.step_seconds.ci95 = schema::Interval{0.94, 1.06};
  EXPECT_EQ(calm.flags(), (Flags{"noisy", "published"})) << "judged by its mean, because it has no median";
}

TEST(Flags, AllAreDocumentedOnceAndShownInTheirOrder) {
  Flags names;
  for (const FlagRow& row : flag_rows()) {
    names.push_back(row.name);
    EXPECT_FALSE(row.rule.empty());
  }
  EXPECT_EQ(names, (Flags{"noisy",           "drifting",      "stalls",       "bimodal",         "throttled",
                          "background-load", "on-battery",    "cpu-fallback", "cpu-fallback-on", "clocks-disagree",
                          "few-samples",     "within-launch", "incomplete",   "input-bound",     "launch-bound",
                          "super-linear",    "leaking",       "diverged",     "as-published",    "not-learning",
                          "published"}));
  Calm calm;
  calm.host.power.source = "battery";
  calm.result.launches = {good_launch({1})};
  EXPECT_EQ(calm.flags(), (Flags{"on-battery", "few-samples", "within-launch", "incomplete"}));
}

TEST(Flags, TheReportPageShowsTheTable) {
  const std::string text = base::read_text_file(MPSBENCH_SOURCE_DIR "/docs/report.md", 1 << 20);
  const std::string marker = "<!-- flags -->\n";
  const std::size_t at = text.find(marker);
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(text.substr(at + marker.size(), flag_table().size()), flag_table());
}

TEST(Flags, ALaunchThatWasCutShortIsIncomplete) {
  Calm calm;
  calm.result.launches[1].status = schema::Status::timeout;
  EXPECT_EQ(calm.flags(), Flags{"incomplete"});
  calm.result.launches[1].unmet = {"min-samples"};
  EXPECT_EQ(calm.flags(), Flags{"within-launch"}) << "it does not count";
}

}  // namespace
}  // namespace mpsbench::report
