#include "output/export/exporters.hpp"

#include "support/exported.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <sstream>
#include <vector>

namespace mpsbench::output {

namespace {

using tests::exported_report;

using Rows = std::vector<std::vector<std::string>>;

// The cells of TEXT, none of which may be quoted.
Rows csv_rows(const std::string& text) {
  Rows rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_TRUE(line.ends_with('\r') && line.find('"') == std::string::npos) << line;
    line.back() = ',';
    std::istringstream cells(line);
    for (rows.emplace_back(); std::getline(cells, line, ',');) rows.back().push_back(line);
  }
  return rows;
}

std::string cell(const Rows& rows, std::size_t row, const std::string& key) {
  const auto found = std::find(rows[0].begin(), rows[0].end(), key);
  return rows[row].at(static_cast<std::size_t>(found - rows[0].begin()));
}

TEST(Csv, ValuesWithFullPrecisionAndEmptyNulls) {
  schema::Report report = exported_report();
  report.cases[1].failure->message = "=1";
  const Rows rows = csv_rows(to_csv(report));
  ASSERT_EQ(rows.size(), 3U);
  for (const auto& row : rows) EXPECT_EQ(row.size(), rows.front().size());
  EXPECT_EQ(cell(rows, 1, "step_seconds"), "0.375");
  EXPECT_EQ(cell(rows, 1, "step_seconds_high"), "0.5");
  EXPECT_EQ(cell(rows, 1, "flags"), "noisy");
  EXPECT_EQ(cell(rows, 2, "status"), "oom");
  EXPECT_EQ(cell(rows, 2, "step_seconds"), "");
  EXPECT_EQ(cell(rows, 2, "failure"), "'=1") << "as a text for spreadsheets";
  EXPECT_EQ(std::vector(rows.front().end() - 5, rows.front().end()),
            (std::vector<std::string>{"interop_threads", "affinity", "ranks", "scaling", "published_speed_up"}))
      << "older files lack them";
}

TEST(Markdown, Golden) {
  EXPECT_EQ(to_markdown(exported_report()),
            "| model | mode | device | prec | batch | step | p90 | rows/s | GFLOP/s | peak mem | flags |\n"
            "| --- | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n"
            "| mlp | train | cpu | fp32 | 64 | 375 ms ±33 % | – | 192.0 | – | – | noisy |\n"
            "| mlp | train | cpu | fp32 | 128 | – | – | – | – | – | out of memory (needs 2 GiB, 1 free) |\n");
}

TEST(Markdown, HostileNamesStayInTheirCell) {
  schema::Report report = exported_report();
  report.cases[0].spec.model = "a|b\n<script>[x](y)\x1b[0m";
  const std::string text = to_markdown(report);
  EXPECT_NE(text.find("| a\\|b?\\<script\\>\\[x\\](y)?\\[0m |"), std::string::npos) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
}

TEST(Json, IsTheReport) {
  const schema::RunRecord record = tests::sample_run({tests::sample_spec("mlp", schema::Mode::train, 64)}, 1);
  const schema::Report report{record.tool, record.run, record.host, {}};
  const std::string text = to_json_text(report);
  EXPECT_EQ(nlohmann::ordered_json::parse(text), schema::to_json(report));
  EXPECT_EQ(text.back(), '\n');
}

TEST(JsonLines, OneCaseALineAsInTheReport) {
  const schema::Report report = exported_report();
  std::istringstream lines(to_json_lines(report));
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_EQ(nlohmann::ordered_json::parse(line), schema::to_json(report.cases.at(count)));
  }
  EXPECT_EQ(count, 2U);
}

TEST(Bencher, Golden) {
  EXPECT_EQ(to_bencher(exported_report()), R"({
 "mlp/train/cpu/b64/fp32/eager/synthetic": {
  "latency": {
   "value": 375000000.0,
   "lower_value": 250000000.0,
   "upper_value": 500000000.0
  },
  "throughput": {
   "value": 192.0,
   "lower_value": 128.0,
   "upper_value": 256.0
  }
 }
}
)");
}

TEST(Bencher, HasNoBoundsWithoutAnInterval) {
  schema::Report report = exported_report();
  report.cases[0].metrics.step_seconds.ci95.reset();
  report.cases[0].metrics.rows_per_second = {};
  EXPECT_EQ(nlohmann::json::parse(to_bencher(report)).front(), nlohmann::json({{"latency", {{"value", 375e6}}}}));
  EXPECT_EQ(to_bencher({}), "{}\n");
  EXPECT_FALSE(nlohmann::json::parse(to_github_action(report)).at(0).contains("range"));
  EXPECT_EQ(to_github_action({}), "[]\n");
}

TEST(GithubAction, Golden) {
  EXPECT_EQ(to_github_action(exported_report()), R"([
 {
  "name": "mlp/train/cpu/b64/fp32/eager/synthetic",
  "unit": "ms",
  "value": 375.0,
  "range": "±33 %",
  "extra": "launches: 2\nrows/s: 192.0\nnoisy"
 }
]
)");
}

nlohmann::json entries(const schema::Report& report) {
  return nlohmann::json::parse(to_google_benchmark(report)).at("benchmarks");
}

TEST(GoogleBenchmark, GoldenContext) {
  schema::Report report = exported_report();
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
  EXPECT_EQ(entries(exported_report()).at(1), nlohmann::json::parse(R"({
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
  const nlohmann::json all = entries(exported_report());
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

TEST(GoogleBenchmark, OfOneLaunchOrAFailedOne) {
  schema::Report report = exported_report();
  report.cases.resize(1);
  report.cases[0].launches.pop_back();
  EXPECT_EQ(entries(report).size(), 1U) << "no aggregates";
  report = exported_report();
  schema::CaseResult& result = report.cases[0];
  result.launches.push_back(tests::bad_launch(schema::Status::crashed, "signal 11", 2));
  result.status = schema::Status::crashed;
  result.failure = result.launches.back().failure;
  EXPECT_EQ(entries(report).size(), 7U) << "a time of 0 would distort the reader's statistics";
  EXPECT_EQ(entries(report).at(0).at("label"), "crashed (signal 11), noisy");
  const nlohmann::json error = entries(report).back();
  EXPECT_EQ(error.at("name"), "mlp/train/cpu/b128/fp32/eager/synthetic");
  EXPECT_EQ(error.at("error_occurred"), true);
  EXPECT_EQ(error.at("error_message"), "out of memory (needs 2 GiB, 1 free)");
  EXPECT_EQ(error.at("iterations"), 0);
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  result.launches[0].steps_per_sample = kMost - 1;
  EXPECT_EQ(entries(report).at(0).at("iterations"), kMost) << "numbers beyond counting";
}

// Every text of VALUE.
void expect_harmless(const nlohmann::json& value) {
  EXPECT_TRUE(!value.is_string() || tests::is_harmless(value.get<std::string>())) << value;
  if (!value.is_structured()) return;
  for (const auto& [key, item] : value.items()) {
    EXPECT_TRUE(tests::is_harmless(key)) << key;
    expect_harmless(item);
  }
}

TEST(Exporters, HostileNamesAreHarmlessInJson) {
  for (const auto write : {to_bencher, to_github_action, to_google_benchmark}) {
    const std::string text = write(tests::hostile_report());
    EXPECT_TRUE(tests::is_harmless(text));
    const nlohmann::json document = nlohmann::json::parse(text);
    EXPECT_FALSE(document.empty());
    expect_harmless(document);
  }
}

}  // namespace

}  // namespace mpsbench::output
