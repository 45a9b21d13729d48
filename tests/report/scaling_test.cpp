#include "report/metrics/scaling.hpp"

#include "report/metric_rows.hpp"
#include "report/metrics/assemble.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mpsbench::report {
namespace {

using schema::Mode;
using schema::Scaling;
using tests::none;

schema::CaseSpec spec_on_gpus(std::int64_t ranks, std::int64_t batch_size) {
  schema::CaseSpec spec = tests::sample_spec("mlp", Mode::train, batch_size);
  spec.device = "cuda";
  spec.ranks = ranks;
  return spec;
}

// A run of SPECS whose launches have the step times of each case.
schema::RunRecord run_of_cases(const std::vector<schema::CaseSpec>& specs,
                               const std::vector<std::vector<double>>& steps) {
  schema::RunRecord record = tests::sample_run(specs, 2);
  for (std::size_t i = 0; i < specs.size(); ++i) {
    schema::PlannedCase& planned = record.run.planned[i];
    planned.id += "+gpus=" + std::to_string(specs[i].ranks);
    for (const double step : steps[i])
      record.launches[planned.id].push_back(tests::good_launch(std::vector<double>(9, step)));
  }
  return record;
}

TEST(Scaling, EfficiencyIsTheRateDividedByThatOfAsManySingleProcesses) {
  const schema::Report report =
      assemble(run_of_cases({spec_on_gpus(1, 64), spec_on_gpus(2, 64)}, {{0.099, 0.1, 0.101}, {0.124, 0.125, 0.126}}));
  const schema::Metrics& metrics = report.cases[1].metrics;
  ASSERT_TRUE(metrics.scaling_efficiency.value && metrics.scaling_efficiency.ci95);
  EXPECT_NEAR(*metrics.scaling_efficiency.value, 0.8, 1e-9);
  EXPECT_NEAR(*metrics.scaling_efficiency.value,
              *metrics.rows_per_second.value / (2 * *report.cases[0].metrics.rows_per_second.value), 1e-9);
  EXPECT_GT(metrics.scaling_efficiency.ci95->low, 0.77);
  EXPECT_LT(metrics.scaling_efficiency.ci95->low, 0.8);
  EXPECT_GT(metrics.scaling_efficiency.ci95->high, 0.8);
  EXPECT_LT(metrics.scaling_efficiency.ci95->high, 0.83);
  EXPECT_FALSE(report.cases[0].metrics.scaling_efficiency.value);
  EXPECT_EQ(report.cases[0].notes.at("metrics.scaling_efficiency"), "the launches run in one process");
}

TEST(Scaling, EfficiencyFitsTheRatesIfLaunchesDiffer) {
  const schema::Report report =
      assemble(run_of_cases({spec_on_gpus(1, 64), spec_on_gpus(2, 64)}, {{0.1, 0.5}, {0.02, 0.06}}));
  const schema::ValueMetric& efficiency = report.cases[1].metrics.scaling_efficiency;
  EXPECT_NEAR(*efficiency.value,
              *report.cases[1].metrics.rows_per_second.value / (2 * *report.cases[0].metrics.rows_per_second.value),
              1e-9);
  EXPECT_LE(efficiency.ci95.value().low, *efficiency.value);
  EXPECT_GE(efficiency.ci95.value().high, *efficiency.value);
}

TEST(Scaling, StrongScalingComparesEqualTotals) {
  schema::CaseSpec strong = spec_on_gpus(2, 32);
  strong.scaling = Scaling::strong;
  const schema::Report report = assemble(
      run_of_cases({spec_on_gpus(1, 32), spec_on_gpus(1, 64), strong}, {{0.06, 0.06}, {0.1, 0.1}, {0.0625, 0.0625}}));
  EXPECT_NEAR(report.cases[2].metrics.scaling_efficiency.value.value(), 0.8, 1e-9);
}

TEST(Scaling, SaysWhatIsMissing) {
  const auto note = [](const schema::RunRecord& record, const std::string& part = "") {
    return assemble(record).cases.back().notes.at("metrics.scaling_efficiency" + part);
  };
  EXPECT_EQ(note(run_of_cases({spec_on_gpus(1, 32), spec_on_gpus(2, 64)}, {{0.1}, {0.1}})),
            "the run has no such case with one process: add 1 to --gpus");
  schema::RunRecord failed = run_of_cases({spec_on_gpus(1, 64), spec_on_gpus(2, 64)}, {{}, {0.1}});
  EXPECT_EQ(note(failed), "no launch of " + failed.run.planned[0].id + " succeeded");
  EXPECT_EQ(note(run_of_cases({spec_on_gpus(1, 64), spec_on_gpus(2, 64)}, {{0.1}, {0.1, 0.1}}), ".ci95"),
            "needs two launches of each case");
}

TEST(Scaling, ThreadsMayDifferOnlyIfNobodySetThem) {
  schema::CaseResult one;
  one.spec = tests::sample_spec("mlp", Mode::train, 64);
  schema::CaseResult two = one;
  two.spec.ranks = 2;
  two.spec.bucket_bytes = 1 << 20;
  const auto fits = [&](const char* one_id, const char* two_id) {
    one.id = one_id;
    two.id = two_id;
    return one_process_case(two, std::vector{one}) != nullptr;
  };
  EXPECT_TRUE(fits("a+threads=2", "a+ranks=2+threads=2"));
  two.spec.threads = 1;
  EXPECT_TRUE(fits("a", "a+ranks=2"));
  EXPECT_FALSE(fits("a", "a+ranks=2+threads=1"));
  EXPECT_FALSE(fits("a+threads=2", "a+ranks=2"));
  EXPECT_EQ(one_process_case(one, std::vector{two}), nullptr);
  two.spec.precision = schema::Precision::bf16;
  EXPECT_FALSE(fits("a", "a+ranks=2"));
}

TEST(Scaling, PrefersTheCaseWithAsManyThreads) {
  std::vector<schema::CaseResult> cases(3);
  for (schema::CaseResult& result : cases) result.spec = tests::sample_spec("mlp", Mode::train, 64);
  cases[0].spec.threads = 2;
  cases[1].spec.threads = cases[2].spec.threads = 1;
  cases[1].id = "a+threads=1";
  cases[2].spec.ranks = 2;
  EXPECT_EQ(one_process_case(cases[2], cases), &cases[1]);
  cases[1].definition_sha256 = "another network";
  EXPECT_EQ(one_process_case(cases[2], cases), &cases[0]);
}

schema::Launch launch_that_averages(double step, double compute, double average) {
  schema::Launch launch = tests::good_launch(std::vector<double>(5, step));
  launch.communication = schema::Communication{compute, average, 4000, 1};
  return launch;
}

TEST(Metrics, OfCommunication) {
  constexpr const char* kExposed = "communication_exposed_seconds";
  constexpr const char* kHidden = "communication_hidden_seconds";
  constexpr const char* kShare = "communication_ceiling_share";
  const schema::Launch plain = tests::good_launch({0.1});
  const std::vector<schema::Launch> averaging{launch_that_averages(10, 8, 0.002)};
  const auto all_none = [&](const char* why) { return nlohmann::json{{kExposed, none(why)}, {kHidden, none(why)}}; };
  tests::expect_all({
      {"of 2, 4 and -1",
       {launch_that_averages(10, 8, 6), launch_that_averages(12, 8, 6), launch_that_averages(9, 10, 6)},
       {{kExposed, 2}, {kHidden, 4}},
       spec_on_gpus(2, 64)},
      // If little is hidden or exposed, noise decides whether a launch shows more than 0.
      {"noise is not cut off before the median",
       {launch_that_averages(9, 10, 6), launch_that_averages(12, 10, 6)},
       {{kExposed, 0.5}},
       spec_on_gpus(2, 64)},
      {"never below 0",
       {launch_that_averages(9, 10, 6), launch_that_averages(9, 10, 6)},
       {{kExposed, 0}, {kHidden, 6}},
       spec_on_gpus(2, 64)},
      {"waiting for input is none",
       {tests::with(
           launch_that_averages(10, 6, 3),
           [](schema::Launch& launch) { launch.input_times = schema::InputTimes{.resident_step_seconds = 7}; })},
       {{kExposed, 1}, {kHidden, 2}},
       spec_on_gpus(2, 64)},
      {"one process", {plain}, all_none("the launches run in one process"), spec_on_gpus(1, 64)},
      {"not measured", {plain}, all_none("no launch measured its steps without communication"), spec_on_gpus(2, 64)},
      {"inference",
       {plain},
       all_none("only training averages gradients"),
       tests::with(spec_on_gpus(2, 64), [](schema::CaseSpec& spec) { spec.mode = Mode::infer; })},
      {"2 * 3/4 * 4000 bytes in 2 ms",
       averaging,
       {{kShare, 1}},
       spec_on_gpus(4, 64),
       tests::counted_plan(),
       {},
       {},
       3e6},
      {"an unknown ceiling",
       averaging,
       {{kShare, none("the rate of all-reduce between 2 devices is not known; run with --ceilings")}},
       spec_on_gpus(2, 64)},
      {"no ceiling",
       averaging,
       {{kShare, none("only training on several GPUs has such a ceiling")}},
       spec_on_gpus(1, 64)},
      {"an unknown rate",
       {plain},
       {{kShare, none("no launch measured how long averaging takes")}},
       spec_on_gpus(4, 64),
       tests::counted_plan(),
       {},
       {},
       3e6},
  });
}

schema::Launch launch_of(const std::vector<double>& compute_steps) {
  schema::Launch launch = tests::good_launch({0.1});
  for (std::size_t i = 0; i < compute_steps.size(); ++i) {
    schema::RankResult rank;
    rank.rank = static_cast<std::int64_t>(i);
    if (compute_steps[i] > 0) rank.compute_step_seconds = compute_steps[i];
    launch.ranks.push_back(rank);
  }
  return launch;
}

std::optional<Straggler> straggler(const std::vector<std::vector<double>>& launches) {
  schema::CaseResult result;
  for (const std::vector<double>& compute_steps : launches) result.launches.push_back(launch_of(compute_steps));
  return straggler_of(result);
}

TEST(Scaling, TheSlowestRankIsNamedIfItIsMuchSlower) {
  const auto found = straggler({{1, 1.001, 1.05, 0.999}, {3, 3, 3.18, 3}, {1.1, 1.1, 1.144, 1.1}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->rank, 2);
  EXPECT_NEAR(found->excess, 0.05, 1e-9);
  EXPECT_EQ(straggler({{1.03, 1}, {1.03, 1}, {1.03, 1}}).value().rank, 0);
  EXPECT_FALSE(straggler({{1, 1.015, 1.01}, {1, 1.015, 1.01}, {1, 1.015, 1.01}}));
  EXPECT_FALSE(straggler({{1.03, 0}, {1.03, 0}, {1.03, 0}}));
  EXPECT_FALSE(straggler({{}, {}, {}}));
  EXPECT_FALSE(straggler({}));
}

TEST(Scaling, ARankThatIsTheSlowestInSomeOrFewLaunchesIsNotNamed) {
  EXPECT_FALSE(straggler({{1, 1.5}, {1.5, 1}, {1, 1.5}}));
  EXPECT_FALSE(straggler({{1, 1.5}, {1, 1.01}, {1, 1.5}}));
  EXPECT_FALSE(straggler({{1, 1.5}, {}, {1, 1.5}}));
  EXPECT_FALSE(straggler({{1, 1.5}, {1, 1.5}}));
}

}  // namespace
}  // namespace mpsbench::report
