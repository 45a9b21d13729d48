#include "output/export/google_benchmark.hpp"

#include "support/exported.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace mpsbench::output {
namespace {

nlohmann::json entries(const schema::Report& report) {
  return nlohmann::json::parse(to_google_benchmark(report)).at("benchmarks");
}

TEST(GoogleBenchmark, GoldenContext) {
  schema::Report report = tests::exported_report();
  report.cases.clear();
  EXPECT_EQ(to_google_benchmark(report), R"({
 "context": {
  "date": "2026-11-21T10:02:00Z",
  "host_name": "epyc-0a1b",
  "executable": "mpsbench",
  "num_cpus": 2,
  "caches": [],
  "load_avg": [],
  "library_build_type": "release",
  "json_schema_version": 1,
  "mpsbench_version": "0.1.0",
  "cpu_time": "not measured: real_time stands in its place",
  "libtorch_version": "2.13.0+cpu"
 },
 "benchmarks": []
}
)");
}

TEST(GoogleBenchmark, GoldenLaunch) {
  EXPECT_EQ(entries(tests::exported_report()).at(1), nlohmann::json::parse(R"({
   "name": "mlp/train/cpu/b64/fp32/eager/synthetic",
   "family_index": 0,
   "per_family_instance_index": 0,
   "run_name": "mlp/train/cpu/b64/fp32/eager/synthetic",
   "run_type": "iteration",
   "repetitions": 2,
   "threads": 2,
   "repetition_index": 1,
   "iterations": 3,
   "real_time": 5e8,
   "cpu_time": 5e8,
   "time_unit": "ns",
   "label": "noisy",
   "items_per_second": 128.0
  })"));
}

TEST(GoogleBenchmark, AggregatesOfLaunches) {
  const nlohmann::json all = entries(tests::exported_report());
  ASSERT_EQ(all.size(), 7U);
  const std::string name = "mlp/train/cpu/b64/fp32/eager/synthetic";
  const double spread = 0.17677669529663687;
  const std::vector<std::tuple<std::string, std::string, double, double>> expected{
      {"median", "time", 0.375e9, 192},
      {"mean", "time", 0.375e9, 192},
      {"stddev", "time", spread * 1e9, 90.50966799187809},
      {"cv", "percentage", spread / 0.375, 90.50966799187809 / 192}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const nlohmann::json& entry = all.at(2 + i);
    const auto& [statistic, unit, time, rate] = expected[i];
    EXPECT_EQ(entry.at("name"), name + "_" + statistic);
    EXPECT_EQ(entry.at("run_name"), name);
    EXPECT_EQ(entry.at("run_type"), "aggregate");
    EXPECT_EQ(entry.at("aggregate_name"), statistic);
    EXPECT_EQ(entry.at("aggregate_unit"), unit);
    EXPECT_EQ(entry.at("iterations"), 2);
    EXPECT_DOUBLE_EQ(entry.at("real_time").get<double>(), time);
    EXPECT_DOUBLE_EQ(entry.at("items_per_second").get<double>(), rate);
    EXPECT_FALSE(entry.contains("repetition_index"));
  }
}

TEST(GoogleBenchmark, OneLaunchHasNoAggregates) {
  schema::Report report = tests::exported_report();
  report.cases.resize(1);
  report.cases[0].launches.pop_back();
  EXPECT_EQ(entries(report).size(), 1U);
}

TEST(GoogleBenchmark, AFailedLaunchBesideGoodOnesIsToldInTheLabel) {
  schema::Report report = tests::exported_report();
  schema::CaseResult& result = report.cases[0];
  result.launches.push_back(tests::bad_launch(schema::Status::crashed, "signal 11", 2));
  result.status = schema::Status::crashed;
  result.failure = result.launches.back().failure;
  EXPECT_EQ(entries(report).size(), 7U) << "a time of 0 would distort the reader's statistics";
  EXPECT_EQ(entries(report).at(0).at("label"), "crashed (signal 11), noisy");
}

TEST(GoogleBenchmark, ACaseWithoutFiguresIsAnError) {
  const nlohmann::json all = entries(tests::exported_report());
  EXPECT_EQ(all.back().at("name"), "mlp/train/cpu/b128/fp32/eager/synthetic");
  EXPECT_EQ(all.back().at("error_occurred"), true);
  EXPECT_EQ(all.back().at("error_message"), "out of memory (needs 2 GiB, 1 free)");
  EXPECT_EQ(all.back().at("iterations"), 0);
}

TEST(GoogleBenchmark, NumbersBeyondCounting) {
  schema::Report report = tests::exported_report();
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  report.cases[0].launches[0].steps_per_sample = kMost - 1;
  EXPECT_EQ(entries(report).at(0).at("iterations"), kMost);
}

TEST(GoogleBenchmark, HostileNames) {
  const std::string text = to_google_benchmark(tests::hostile_report());
  EXPECT_TRUE(tests::is_harmless(text));
  const nlohmann::json document = nlohmann::json::parse(text);
  for (const nlohmann::json& entry : document.at("benchmarks")) {
    EXPECT_TRUE(tests::is_harmless(entry.at("name").get<std::string>()));
    EXPECT_TRUE(tests::is_harmless(entry.at("label").get<std::string>()));
  }
  EXPECT_TRUE(tests::is_harmless(document.at("context").at("host_name").get<std::string>()));
}

}  // namespace
}  // namespace mpsbench::output
