#include "report/compare/compared_report.hpp"

#include "base/json_file.hpp"
#include "report/metrics/assemble.hpp"
#include "support/compared.hpp"
#include "support/errors.hpp"
#include "support/sample_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace mpsbench::report {
namespace {

using tests::contains;
using tests::usage_error_of;

nlohmann::ordered_json sample() {
  schema::RunRecord record = tests::sample_run(
      {tests::sample_spec("mlp", schema::Mode::train, 64), tests::sample_spec("mlp", schema::Mode::infer, 1)}, 2);
  schema::Launch second = tests::good_launch({0.03, 0.01, 0.02}, 1);
  second.backend = {{"autocast", "off"}};
  record.launches[record.run.planned[0].id] = {tests::bad_launch(schema::Status::crashed, "killed", 0), second};
  record.launches[record.run.planned[1].id] = {tests::good_launch({0.5, 0.5, 0.5}, 0)};
  return schema::to_json(assemble(record));
}

ComparedReport read(const nlohmann::ordered_json& document) {
  return parse_compared_report(base::to_text(document, 1), "a.json");
}

TEST(ComparedReport, KnowsWhatItsRunAskedToJudge) {
  nlohmann::ordered_json document = sample();
  document["run"]["planned"][1]["threshold"] = 0.05;
  document["run"]["planned"][0]["gate_on"] = {{{"metric", "energy"}, {"threshold", 0.05}}};
  const std::vector<ComparedCase> cases = read(document).cases;
  EXPECT_FALSE(cases[0].threshold);
  EXPECT_EQ(cases[1].threshold, 0.05);
  EXPECT_EQ(cases[0].gate_on, (std::vector<schema::GateOn>{{schema::GatedMetric::energy, 0.05}}));
  EXPECT_TRUE(cases[1].gate_on.empty());
}

TEST(ComparedReport, HoldsTheMediansOfGoodLaunches) {
  const ComparedReport report = read(sample());
  EXPECT_EQ(report.file, "a.json");
  EXPECT_EQ(report.run_id, "0123456789abcdef");
  EXPECT_EQ(report.host.name, "epyc-0a1b");
  ASSERT_EQ(report.cases.size(), 2U);
  const ComparedCase& first = report.cases[0];
  EXPECT_EQ(first.id, "mlp/train/cpu/b64/fp32/eager/synthetic");
  EXPECT_EQ(first.spec.device, schema::DeviceId("cpu"));
  EXPECT_EQ(first.spec.batch_size, 64);
  EXPECT_EQ(first.spec, tests::sample_spec("mlp", schema::Mode::train, 64));
  EXPECT_EQ(first.status, schema::Status::crashed);
  EXPECT_EQ(first.failure->message, "killed");
  ASSERT_EQ(first.launches.size(), 1U);
  EXPECT_EQ(first.launches[0].index, 1);
  EXPECT_EQ(first.launches[0].step_seconds, 0.02);
  EXPECT_DOUBLE_EQ(first.step_seconds.value(), 0.02);
  EXPECT_EQ(first.backend.at("autocast"), "off");
  EXPECT_TRUE(first.has_flag("within-launch"));
  EXPECT_FALSE(report.cases[1].failure);
}

TEST(ComparedReport, CountsGoodLaunchesWithoutATime) {
  nlohmann::ordered_json document = sample();
  EXPECT_EQ(read(document).cases[0].launches_without_time, 0);
  document["cases"][0]["launches"][0]["unmet"] = {"min-samples"};
  document["cases"][0]["launches"][0]["samples_seconds"] = {0.0, 0.0, 1.0};  // of a launch that was cut short
  document["cases"][1]["launches"][0]["samples_seconds"] = {0.0, 0.0, 1.0};
  const ComparedReport zero = read(document);
  EXPECT_EQ(zero.cases[0].launches_without_time, 0);
  EXPECT_EQ(zero.cases[1].launches_without_time, 1);
  EXPECT_EQ(zero.cases[1].launches.size() + 1, read(sample()).cases[1].launches.size());
  for (const nlohmann::json& samples : {nlohmann::json::array(), nlohmann::json{0, 0, 0}}) {
    document["cases"][1]["launches"][0]["samples_seconds"] = samples;
    const ComparedCase result = read(document).cases[1];
    EXPECT_EQ(result.launches_without_time, 1);
    EXPECT_TRUE(result.launches.empty());
    EXPECT_FALSE(result.step_seconds);
  }
}

TEST(ComparedReport, KnowsTheGpuClocksOfTheFirstGoodLaunch) {
  nlohmann::ordered_json document = sample();
  EXPECT_FALSE(read(document).cases[0].gpu_clock.hertz);
  const auto sensors = [](double hertz, double set) {
    return nlohmann::json{{{"name", "gpu_clock"}, {"unit", "Hz"}, {"value", hertz}},
                          {{"name", "gpu_clocks_setting"}, {"unit", "1"}, {"value", set}}};
  };
  document["cases"][0]["launches"][0]["sensors"] = sensors(1e9, 0);  // of a launch that crashed
  document["cases"][0]["launches"][1]["sensors"] = sensors(1.5e9, 1);
  const GpuClock clock = read(document).cases[0].gpu_clock;
  EXPECT_EQ(clock.hertz, 1.5e9);
  EXPECT_EQ(clock.is_set_by_hand, true);
}

TEST(ComparedReport, LeavesOutTheMemoryOfCopies) {
  using schema::GatedMetric;
  nlohmann::ordered_json document = sample();
  nlohmann::ordered_json& launches = document["cases"][1]["launches"];
  launches[0]["peak_device_bytes"] = nullptr;
  launches[0]["peak_resident_bytes"] = 1000;
  launches.push_back(launches[0]);
  launches.push_back(launches[0]);
  launches[1]["index"] = 1;
  launches[2]["index"] = 2;
  const nlohmann::ordered_json check = {
      {"reference", "cpu"}, {"quantity", "output"}, {"difference", 0.01}, {"limit", 0.1}};
  launches[1]["peak_resident_bytes"] = 1100;
  launches[1]["agreement"] = {check};
  launches[2]["peak_resident_bytes"] = 1200;
  launches[2]["sensor_notes"] = {{"agreement", "out of memory"}};
  const auto memory = [&](std::size_t launch) {
    return read(document).cases[1].launches.at(launch).value(GatedMetric::peak_memory);
  };
  EXPECT_EQ(memory(0), 1000);
  EXPECT_FALSE(memory(1) || memory(2));
  EXPECT_TRUE(read(document).cases[1].launches[1].value(GatedMetric::step));
  EXPECT_FALSE(read(document).cases[1].why_missing.contains(GatedMetric::peak_memory));
  launches[1]["peak_device_bytes"] = 500;
  EXPECT_EQ(memory(1), 500) << "the device's peak begins after the comparison";
  launches[1]["peak_device_bytes"] = nullptr;
  launches[0]["agreement"] = {check};
  EXPECT_EQ(memory(1), 1100) << "all launches held copies";
}

TEST(ComparedReport, HoldsTheOtherMetricsOfLaunches) {
  using schema::GatedMetric;
  nlohmann::ordered_json document = sample();
  nlohmann::ordered_json& launch = document["cases"][1]["launches"][0];
  std::vector<double> samples(700, 0.01);
  std::fill_n(samples.begin(), 20, 0.03);
  launch["samples_seconds"] = samples;
  launch["peak_device_bytes"] = nullptr;
  launch["peak_resident_bytes"] = 1000;
  launch["sensors"] = {{{"name", "cpu_energy"}, {"unit", "J"}, {"value", 14}}};
  const ComparedCase result = read(document).cases[1];
  ASSERT_EQ(result.launches.size(), 1U);
  EXPECT_EQ(result.spec.mode, schema::Mode::infer);
  EXPECT_EQ(result.launches[0].value(GatedMetric::step), 0.01);
  EXPECT_EQ(result.launches[0].value(GatedMetric::latency_p99), 0.03);
  EXPECT_EQ(result.launches[0].value(GatedMetric::peak_memory), 1000);
  EXPECT_DOUBLE_EQ(result.value(GatedMetric::energy).value(), 14.0 / 700);
  ASSERT_EQ(result.why_missing.size(), 1U);
  EXPECT_EQ(result.why_missing.at(GatedMetric::first_token), "--mode infer has none");
  nlohmann::ordered_json& written = document["cases"][1];
  const nlohmann::ordered_json spec = written["spec"];
  written.erase("spec");
  written["spec"] = spec;  // after the launches, as another program may write it
  EXPECT_EQ(read(document).cases[1].launches.at(0).others, result.launches[0].others);
  launch["peak_device_bytes"] = 500;
  launch["sensors"] = nlohmann::json::array();
  launch["sensor_notes"] = {{"cpu_energy", "only root may read it"}};
  const ComparedCase other = read(document).cases[1];
  EXPECT_EQ(other.launches[0].value(GatedMetric::peak_memory), 500);
  EXPECT_FALSE(other.value(GatedMetric::energy));
  EXPECT_EQ(other.why_missing.at(GatedMetric::energy), "only root may read it");
}

TEST(ComparedReport, TakesThePublishedMean) {
  nlohmann::ordered_json document = sample();
  EXPECT_FALSE(read(document).is_published());
  nlohmann::ordered_json& result = document["cases"][0];
  result["launches"] = nlohmann::json::array();
  result["published"] = {{"source", "a file"}, {"url", nullptr}, {"cautions", {"read-off-chart"}},
                         {"remark", ""},       {"speed_up", 2},  {"figures", nlohmann::json::object()}};
  result["metrics"]["step_seconds"]["mean"] = 0.25;
  const ComparedReport report = read(document);
  EXPECT_TRUE(report.is_published());
  EXPECT_EQ(report.cases[0].step_seconds, 0.25);
  EXPECT_EQ(report.cases[0].published->speed_up, 2);
  EXPECT_EQ(report.cases[1].step_seconds, 0.5);
  result["metrics"]["step_seconds"]["mean"] = nullptr;
  EXPECT_FALSE(read(document).cases[0].step_seconds);
}

TEST(ComparedReport, HasTheTimeToTheFirstToken) {
  nlohmann::ordered_json document = sample();
  const auto first_token = [&] { return read(document).cases[1].value(schema::GatedMetric::first_token); };
  EXPECT_FALSE(first_token());
  nlohmann::ordered_json& result = document["cases"][1];
  result["spec"]["mode"] = "generate";
  result["launches"][0]["prefill_samples_seconds"] = {0.3, 0.1, 0.2};
  EXPECT_DOUBLE_EQ(first_token().value_or(0), 0.2);
  result["launches"] = nlohmann::json::array();
  result["published"] = {{"source", "a file"}, {"url", nullptr},      {"cautions", nlohmann::json::array()},
                         {"remark", ""},       {"speed_up", nullptr}, {"figures", nlohmann::json::object()}};
  result["metrics"]["first_token_seconds"]["mean"] = 0.4;
  EXPECT_EQ(first_token(), 0.4);
}

TEST(ComparedReport, NamesThePlaceOfWhatIsWrong) {
  const nlohmann::json::array_t negative{-1.0};
  const std::tuple<const char*, nlohmann::json, const char*> rows[] = {
      {"/schema_version", 2, "$.schema_version: this program reads schema version 1, found 2"},
      {"/cases/1/id", "mlp/train/cpu/b64/fp32/eager/synthetic", "$.cases[1]: the case occurs twice in the report"},
      {"/cases/0/launches/1/samples_seconds", "fast",
       "$.cases[0].launches[1].samples_seconds: expected an array, found \"fast\""},
      {"/cases/0/launches/1/samples_seconds", negative,
       "$.cases[0].launches[1].samples_seconds[0]: expected a number from 0 to 1000000000, found -1.0"},
      {"/cases/0/launches/1/samples_seconds",
       {0.5, nullptr},
       "$.cases[0].launches[1].samples_seconds[1]: expected a number, found null"},
      {"/cases/0/launches/1/backend",
       {{"autocast", 1}},
       "$.cases[0].launches[1].backend.autocast: expected a string, found 1"},
      {"/cases/0/status", "good", "$.cases[0].status: "},
      {"/run/status", "done", "$.run.status: unknown run status \"done\"; known: complete, partial, interrupted"},
      {"/run/planned/1/threshold", 0, "$.run.planned[1].threshold"},
      {"/run/planned/0/gate_on", {{{"metric", "time"}, {"threshold", nullptr}}}, "$.run.planned[0].gate_on[0].metric"},
      {"/cases/0/flags/0", 1, "$.cases[0].flags[0]: expected a string, found 1"},
      {"/cases/0/metrics/step_seconds/ci95", {2, 1}, "$.cases[0].metrics.step_seconds.ci95: expected [low, high]"},
      {"/cases/0/spec", nlohmann::json::object(), "$.cases[0].spec: the key 'model' is missing"}};
  for (const auto& [pointer, value, message] : rows) {
    nlohmann::ordered_json document = sample();
    document[nlohmann::ordered_json::json_pointer(pointer)] = value;
    const std::string error = usage_error_of([&] { (void)read(document); });
    EXPECT_TRUE(error.starts_with(std::string("a.json: ") + message)) << error;
  }
  EXPECT_EQ(usage_error_of([] { (void)parse_compared_report("{}", "a.json"); }),
            "a.json: $: the key 'schema_version' is missing");
  EXPECT_TRUE(contains(usage_error_of([] { (void)parse_compared_report("garbage", "a.json"); }), "not valid JSON"));
}

TEST(ComparedReport, ReadsEscapedTexts) {
  nlohmann::ordered_json document = sample();
  document["cases"][0]["id"] = "a\"\\b\u00e9\n";
  document["cases"][0]["flags"] = {"\t"};
  const ComparedReport report = read(document);
  EXPECT_EQ(report.cases[0].id, "a\"\\b\u00e9\n");
  EXPECT_TRUE(report.cases[0].has_flag("\t"));
}

TEST(ComparedReport, LeavesOutDisturbedLaunchesAsTheReportDoes) {
  schema::RunRecord record = tests::sample_run({tests::sample_spec("mlp", schema::Mode::train, 64)}, 4);
  std::vector<schema::Launch>& launches = record.launches[record.run.planned[0].id];
  for (const double step : {1.0, 9.0, 1.0, 1.0})
    launches.push_back(tests::good_launch({step, step, step}, std::ssize(launches)));
  launches[1].disturbed = schema::Disturbance::stopped;
  launches[1].peak_resident_bytes.reset();
  launches[2].sensors = {schema::sensor_record(schema::sensor::kCpuDistance, 4e-7)};
  const auto compared = [&] { return read(schema::to_json(assemble(record))).cases[0]; };
  const ComparedCase aside = compared();
  ASSERT_EQ(aside.launches.size(), 3U);
  EXPECT_EQ(aside.launches[1].index, 2);
  EXPECT_EQ(aside.launches[1].cpu_distance_seconds, 4e-7);
  EXPECT_EQ(aside.launches_set_aside, 1);
  EXPECT_DOUBLE_EQ(*aside.step_seconds, 1);
  EXPECT_FALSE(aside.why_missing.contains(schema::GatedMetric::peak_memory));
  launches[0].disturbed = schema::Disturbance::background_load;
  const ComparedCase all = compared();
  EXPECT_EQ(all.launches.size(), 4U);
  EXPECT_EQ(all.launches_set_aside, 0);
  EXPECT_TRUE(all.why_missing.contains(schema::GatedMetric::peak_memory));
}

TEST(ComparedOf, SeesTheSameAsInTheFile) {
  const nlohmann::json document = sample();
  schema::Report report = schema::from_json<schema::Report>(base::Reader(document, "a.json"));
  report.run.planned[1].measure.max_time_seconds = 7;
  report.cases[0].launches[1].backend = {{"matmul", "tf32"}};
  const ComparedReport compared = compared_of(report, "file");
  EXPECT_EQ(compared.file, "file");
  EXPECT_EQ(compared.run_id, report.run.id);
  EXPECT_EQ(compared.host.name, report.host.name);
  ASSERT_EQ(compared.cases.size(), 2U);
  EXPECT_EQ(compared.cases[0].spec, report.cases[0].spec);
  EXPECT_EQ(compared.cases[0].launches.size(), 1U);
  EXPECT_EQ(compared.cases[0].backend.at("matmul"), "tf32");
  EXPECT_TRUE(compared.cases[0].has_flag("within-launch"));
  EXPECT_EQ(compared.cases[1].max_launch_seconds, 7);
}

ComparedReport run_of(const std::string& file, const std::string& date, const std::string& commit) {
  ComparedReport report = tests::compared_report(file, {});
  report.started_at = date + "T10:00:00Z";
  report.tool.git_commit = commit;
  return report;
}

using Names = std::vector<std::string>;

Names names_of(const std::vector<ComparedReport>& runs) {
  std::vector<const ComparedReport*> reports;
  for (const ComparedReport& run : runs) reports.push_back(&run);
  const auto names = report_names(reports);
  Names texts;
  for (const ComparedReport* run : reports) texts.push_back(names.at(run));
  return texts;
}

TEST(ReportNames, TellRunsOfOneMachineApartByWhatDiffers) {
  const ComparedReport a = run_of("x/a.json", "2026-11-21", "aaaaaaa");
  EXPECT_EQ(names_of({a}), Names{"epyc-0a1b"});
  EXPECT_EQ(names_of({a, run_of("b.json", "2026-11-22", "aaaaaaa")}),
            (Names{"epyc-0a1b, 2026-11-21", "epyc-0a1b, 2026-11-22"}));
  EXPECT_EQ(names_of({a, run_of("b.json", "2026-11-21", "bbbbbbb")}),
            (Names{"epyc-0a1b, aaaaaaa", "epyc-0a1b, bbbbbbb"}));
  EXPECT_EQ(names_of({a, run_of("b.json", "2026-11-21", "aaaaaaa")}),
            (Names{"epyc-0a1b, a.json", "epyc-0a1b, b.json"}));
  EXPECT_EQ(names_of({a, run_of("y/a.json", "2026-11-21", "aaaaaaa")}),
            (Names{"epyc-0a1b, x/a.json", "epyc-0a1b, y/a.json"}));
  ComparedReport other = run_of("c.json", "2026-11-21", "aaaaaaa");
  other.host.name = "m1";
  EXPECT_EQ(names_of({a, other}), (Names{"epyc-0a1b", "m1"}));
}

}  // namespace
}  // namespace mpsbench::report
