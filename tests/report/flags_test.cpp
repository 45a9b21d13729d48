#include "report/metrics/flags.hpp"

#include "base/json_file.hpp"
#include "support/sample_run.hpp"
#include "support/sensor_trace.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
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

// 45 samples that rise by CHANGE times the median from the first third to the last.
std::vector<double> rising(double change) {
  std::vector<double> samples = steady_samples(1.0, 45);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i] = 1 + 0.0001 * (samples[i] - 1) + change * (static_cast<double>(i) - 22) / 30;
  }
  return samples;
}

// What is done to a calm case, and the flags that it then has.
struct FlagCase {
  const char* what;
  std::function<void(Calm&)> change;
  Flags flags;
  std::int64_t planned = 2;
};

void expect_flags(const std::vector<FlagCase>& rows) {
  for (const FlagCase& row : rows) {
    Calm calm;
    row.change(calm);
    EXPECT_EQ(calm.flags(row.planned), row.flags) << row.what;
  }
}

TEST(Flags, OfTimes) {
  const auto interval = [](double low, double high) {
    return [=](Calm& calm) { calm.result.metrics.step_seconds.ci95 = schema::Interval{low, high}; };
  };
  const auto latency = [](double low, double high, std::size_t samples) {
    return [=](Calm& calm) {
      for (Launch& launch : calm.result.launches) launch.latency_samples_seconds = steady_samples(0.02, 41);
      calm.result.launches[0].latency_samples_seconds.resize(samples);
      calm.result.metrics.latency_seconds.median = 1.0;
      calm.result.metrics.latency_seconds.ci95 = schema::Interval{low, high};
    };
  };
  const auto mean = [](double seconds) { return [=](Calm& calm) { calm.result.metrics.step_seconds.mean = seconds; }; };
  const auto second = [](const std::vector<double>& samples) {
    return [=](Calm& calm) { calm.result.launches[1] = good_launch(samples, 1); };
  };
  std::vector<double> two_levels = steady_samples(0.01, 60);
  for (std::size_t i = 0; i < two_levels.size(); i += 3) two_levels[i] = 0.02;
  std::vector<double> outlier = two_levels;
  std::fill(outlier.begin() + 3, outlier.end(), 0.01);
  expect_flags({{"calm", [](Calm&) {}, {}},
                {"a narrow interval", interval(0.9501, 1.0499), {}},
                {"a wide one", interval(0.9499, 1.0501), {"noisy"}},
                {"a calm latency", latency(0.99, 1.01, 41), {}},
                {"a noisy latency", latency(0.9, 1.1, 41), {"noisy"}},
                {"latencies of tokens",
                 [&](Calm& calm) {
                   latency(0.9, 1.1, 41)(calm);
                   calm.result.spec.mode = schema::Mode::generate;
                 },
                 {}},
                {"few latencies", latency(0.99, 1.01, 2), {"few-samples"}},
                {"a mean below", mean(0.91), {}},
                {"a mean at the median", mean(1), {}},
                {"a mean above", mean(1.09), {}},
                {"a mean far below", mean(0.89), {"stalls"}},
                {"a mean far above", mean(1.11), {"stalls"}},
                {"rising slowly", second(rising(0.045)), {}},
                {"rising", second(rising(0.055)), {"drifting"}},
                {"falling", second(rising(-0.055)), {"drifting"}},
                {"two levels", second(two_levels), {"bimodal"}},
                {"an outlier is no level", second(outlier), {}},
                {"ten samples", second(std::vector<double>(10, 0.01)), {}},
                {"nine", second(std::vector<double>(9, 0.01)), {"few-samples"}}});
}

TEST(Flags, OfTheMachine) {
  const auto sensor = [](const char* name, double value) {
    return [=](Calm& calm) { calm.result.launches[0].sensors = {{name, "1", value}}; };
  };
  const auto power = [](const std::optional<std::string>& source) {
    return [=](Calm& calm) { calm.host.power.source = source; };
  };
  const auto fallback = [](const schema::DeviceId& device, const char* value) {
    return [=](Calm& calm) {
      calm.result.spec.device = device;
      if (value != nullptr) calm.host.environment["PYTORCH_ENABLE_MPS_FALLBACK"] = value;
    };
  };
  const auto other_rank = [](double throttled) {
    return [=](Calm& calm) {
      calm.result.launches[0].ranks = {
          {.device = "cuda"}, {.rank = 1, .device = "cuda:1", .sensors = {{"gpu_throttled", "1", 0, 0, throttled}}}};
    };
  };
  const auto clocks = [](bool agree) {
    return [=](Calm& calm) { calm.result.launches[1].event_check = schema::EventCheck{1, 1, agree}; };
  };
  expect_flags({{"some other work", sensor("other_cpu_share", 0.05), {}},
                {"much other work", sensor("other_cpu_share", 0.051), {"background-load"}},
                {"another sensor", sensor("something_else", 0.9), {}},
                {"some other work of the GPU", sensor("gpu_other_utilization", 0.05), {}},
                {"much other work of the GPU", sensor("gpu_other_utilization", 0.06), {"background-load"}},
                {"no fallback", sensor("mps_cpu_fallback_operators", 0), {}},
                {"a fallback", sensor("mps_cpu_fallback_operators", 1), {"cpu-fallback"}},
                {"no pause by a quota", sensor("cpu_quota_pauses", 0), {}},
                {"pauses by a quota", sensor("cpu_quota_pauses", 3), {"throttled"}},
                {"another rank is calm", other_rank(0), {}},
                {"another rank was throttled", other_rank(1), {"throttled"}},
                {"MPS", fallback("mps", nullptr), {}},
                {"MPS with 0", fallback("mps", "0"), {}},
                {"MPS with nothing", fallback("mps", ""), {}},
                {"MPS with no number", fallback("mps", "no"), {}},
                {"MPS with 1", fallback("mps", "1"), {"cpu-fallback-on"}},
                {"the variable affects only MPS", fallback("cpu", "1"), {}},
                {"an unknown source of power", power(std::nullopt), {}},
                {"a battery", power("battery"), {"on-battery"}},
                {"clocks agree", clocks(true), {}},
                {"clocks disagree", clocks(false), {"clocks-disagree"}},
                {"a case without figures",
                 [](Calm& calm) {
                   calm.host.power.source = "battery";
                   calm.result.launches = {tests::bad_launch(schema::Status::oom, "")};
                 },
                 {}}});
  Launch launch = good_launch({1});
  for (const double pauses : {0.0, 3.0}) {
    launch.sensors = {{"cpu_quota_pauses", "1", pauses}};
    EXPECT_EQ(was_paused_by_quota(launch), pauses > 0);
  }
}

TEST(Flags, OfTheWork) {
  const auto enqueue = [](double seconds) {
    return [=](Calm& calm) { calm.result.launches[0].enqueue_seconds = seconds; };
  };
  const auto wait = [](double share) { return [=](Calm& calm) { calm.result.metrics.data_wait_share = share; }; };
  const auto efficiency = [](double value) {
    return [=](Calm& calm) { calm.result.metrics.scaling_efficiency.value = value; };
  };
  const auto growth = [](std::int64_t bytes) {
    return [=](Calm& calm) {
      for (std::int64_t step = 1; step <= 20; ++step) {
        calm.result.launches[0].live_bytes.push_back({step, 1'000'000 + bytes * step});
        calm.result.launches[1].live_bytes.push_back({step, 1'000'000});
      }
    };
  };
  // A network of four classes is right for these shares of ROWS.
  const auto validated = [](double accuracy, std::int64_t rows) {
    return [=](Calm& calm) {
      calm.result.spec.classes = 4;
      calm.result.metrics.validation_accuracy = accuracy;
      calm.result.launches[0].evaluations = {{schema::DataPart::validation, rows, 1, 1}};
    };
  };
  expect_flags({{"queueing", enqueue(0.79), {}},
                {"long queueing", enqueue(0.81), {"launch-bound"}},
                {"waiting for data", wait(0.09), {}},
                {"long waiting for data", wait(0.11), {"input-bound"}},
                {"scaling well", efficiency(1.09), {}},
                {"scaling too well", efficiency(11.85), {"super-linear"}},
                {"steady memory", growth(0), {}},
                {"a leak", growth(1'000'000), {"leaking"}},
                {"a loss that is not finite",
                 [](Calm& calm) { calm.result.launches[0].losses = {1e30, std::nullopt}; },
                 {"diverged"}},
                {"a published loop", [](Calm& calm) { calm.result.spec.as_published = true; }, {"as-published"}},
                {"learning", validated(0.376, 50), {}},
                {"not learning", validated(0.374, 50), {"not-learning"}},
                {"too few rows to tell", validated(0.374, 49), {}}});
}

TEST(Flags, OfTheLaunches) {
  const auto add = [](schema::Status status) {
    return [=](Calm& calm) { calm.result.launches.push_back(tests::bad_launch(status, "", 2)); };
  };
  const auto cut_short = [](const std::vector<std::string>& unmet) {
    return [=](Calm& calm) {
      calm.result.launches[1].status = schema::Status::timeout;
      calm.result.launches[1].unmet = unmet;
    };
  };
  const auto published = [](const schema::TimeMetrics& step) {
    return [=](Calm& calm) {
      calm.result.launches.clear();
      calm.result.metrics = {};
      calm.result.metrics.step_seconds = step;
      calm.result.published.emplace();
    };
  };
  schema::TimeMetrics wide;
  wide.mean = 1;
  wide.ci95 = schema::Interval{0.94, 1.06};
  expect_flags({{"one crashed",
                 [](Calm& calm) { calm.result.launches[1] = tests::bad_launch(schema::Status::crashed, "", 1); },
                 {"within-launch"}},
                {"one is missing", [](Calm&) {}, {"incomplete"}, 3},
                {"one was interrupted", add(schema::Status::interrupted), {"incomplete"}, 3},
                {"it ran, but it crashed", add(schema::Status::crashed), {}, 3},
                {"one was cut short", cut_short({}), {"incomplete"}},
                {"it does not count", cut_short({"min-samples"}), {"within-launch"}},
                {"published", published({}), {"published"}},
                {"judged by its mean, because it has no median", published(wide), {"noisy", "published"}}});
}

// Recorded sensor traces raise the same flags as hand-written records: throttled, on-battery and background-load.
TEST(Flags, OfEachSensorTraceAreThoseThatItSays) {
  const std::vector<tests::SensorTrace> traces = tests::all_sensor_traces();
  EXPECT_FALSE(traces.empty());
  for (const tests::SensorTrace& trace : traces) {
    Calm calm;
    calm.result.launches[1].sensors = trace.launch.sensors;
    EXPECT_EQ(calm.flags(), trace.flags) << trace.name;
  }
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

}  // namespace
}  // namespace mpsbench::report
