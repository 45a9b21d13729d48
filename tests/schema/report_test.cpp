#include "schema/report.hpp"

#include "schema/round_trip.hpp"
#include "schema/samples.hpp"

namespace mpsbench::schema {
namespace {

using tests::contains;
using tests::expect_exact_keys;
using tests::expect_round_trip;
using tests::full_report;
using tests::json;
using tests::refusal;
using tests::reparsed;
using tests::with;

TEST(Report, GoesThroughJson) {
  const Report report = expect_round_trip(full_report(), from_json<Report>);
  ASSERT_EQ(report.cases.size(), 1U);
  EXPECT_EQ(report.cases[0].metrics.step_seconds.p99, 0.19);
  EXPECT_EQ(report.cases[0].metrics.step_seconds.ci95->high, 0.101);
  EXPECT_EQ(report.cases[0].notes.at("metrics.bytes_per_second"), "estimated");
  EXPECT_EQ(report.run.planned.at(0).repeats, 2);
  EXPECT_EQ(report.run.planned.at(0).weights_path, "~/w.safetensors");
  EXPECT_EQ(report.run.definitions, full_report().run.definitions);
}

TEST(Report, HasTheDocumentedShape) {
  const json document = reparsed(to_json(full_report()));
  EXPECT_EQ(document.at("schema_version"), 1);
  EXPECT_EQ(document.at("run").at("plan"), json({full_report().run.planned[0].id}));
  EXPECT_EQ(document.at("cases")[0].at("metrics").at("step_seconds").at("ci95"), json({0.099, 0.101}));
  EXPECT_EQ(document.at("cases")[0].at("metrics").at("epoch_seconds").at("kind"), "measured");
}

TEST(Report, WritesNullAndNeverZeroForWhatCouldNotBeHad) {
  Report report = full_report();
  Metrics& metrics = report.cases[0].metrics;
  metrics = Metrics{};
  metrics.epoch_seconds.kind = "projected";
  report.cases[0].failure.reset();
  report.run.finished_at.reset();
  report.run.planned[0].weights_path.reset();
  report.run.planned[0].dump_first_step_path.reset();
  const json document = reparsed(to_json(report)).at("cases")[0].at("metrics");
  for (const char* pointer :
       {"/step_seconds/median",    "/step_seconds/mean",     "/step_seconds/stddev",  "/step_seconds/min",
        "/step_seconds/max",       "/step_seconds/p90",      "/step_seconds/p99",     "/step_seconds/ci95",
        "/latency_seconds/median", "/rows_per_second/value", "/rows_per_second/ci95", "/epoch_seconds/value",
        "/epoch_seconds/ci95",     "/flops_per_second",      "/bytes_per_second",     "/ceiling_share",
        "/peak_device_bytes",      "/peak_reserved_bytes",   "/peak_resident_bytes",  "/data_wait_share",
        "/energy_joules_per_row"}) {
    EXPECT_TRUE(document.at(json::json_pointer(pointer)).is_null()) << pointer;
  }
  const Report back = expect_round_trip(report, from_json<Report>);
  EXPECT_FALSE(back.cases[0].metrics.step_seconds.ci95 || back.cases[0].failure || back.run.finished_at);
}

TEST(Report, HasExactlyItsKeys) {
  expect_exact_keys(
      reparsed(to_json(full_report())), from_json<Report>,
      {"/cases/0/launches/0/working_threads", "/cases/0/launches/0/sensors/1/min", "/cases/0/launches/0/sensors/1/max",
       "/cases/0/metrics/step_seconds/percentiles", "/cases/0/metrics/latency_seconds/percentiles"},
      {"/run/definitions", "/run/planned/0/spec", "/host/environment", "/host/ceilings/0/matmul_flops_per_second",
       "/host/ceilings/0/bus_bytes_per_second", "/cases/0/spec", "/cases/0/notes",
       "/cases/0/metrics/step_seconds/percentiles", "/cases/0/metrics/latency_seconds/percentiles",
       "/cases/0/launches/0/backend", "/cases/0/launches/0/sensor_notes"});
}

TEST(Report, RefusesAnotherVersion) {
  const json good = reparsed(to_json(full_report()));
  EXPECT_EQ(refusal(with(good, "/schema_version", 2), from_json<Report>),
            "f.json: $.schema_version: this program reads schema version 1, found 2");
  for (const json& version : {json("1"), json(1.0), json(nullptr), json(-1)}) {
    EXPECT_TRUE(contains(refusal(with(good, "/schema_version", version), from_json<Report>), "$.schema_version: "));
  }
}

TEST(Report, NamesThePathOfWhatIsWrong) {
  const json good = reparsed(to_json(full_report()));
  const std::vector<std::pair<std::string, std::pair<json, std::string>>> bad{
      {"/run/status", {"done", "$.run.status: unknown run status \"done\"; known: complete, partial, interrupted"}},
      {"/run/seed", {-1, "$.run.seed: expected a whole number"}},
      {"/run/percentiles", {{99, 50}, "$.run.percentiles: expected numbers between 0 and 100, in rising order"}},
      {"/run/percentiles", {{50, 100}, "$.run.percentiles: expected numbers between 0 and 100, in rising order"}},
      {"/run/strict", {0, "$.run.strict: expected true or false"}},
      {"/run/plan", {json::array(), "$.run.plan: must name the cases of $.run.planned"}},
      {"/run/plan/0", {"other", "$.run.plan: must name the cases"}},
      {"/run/plan", {{"a", "b"}, "$.run.plan: must name the cases"}},
      {"/run/planned/0/timeout_seconds", {nullptr, "$.run.planned[0].timeout_seconds: expected a number"}},
      {"/run/definitions", {json::array(), "$.run.definitions: expected an object"}},
      {"/run/definitions", {json::object(), "$.run.plan[0]: $.run.definitions lacks this case's"}},
      {"/cases", {json::object(), "$.cases: expected an array"}},
      {"/cases", {json::array(), "$.cases: must have the cases of $.run.plan"}},
      {"/cases", {{good.at("cases")[0], good.at("cases")[0]}, "$.cases: must have the cases"}},
      {"/cases/0/id", {"foreign", "$.cases: must have the cases of $.run.plan"}},
      {"/cases/0/definition_sha256", {"0", "$.cases: must have the cases of $.run.plan"}},
      {"/cases/0/status", {"fine", "$.cases[0].status: unknown status \"fine\""}},
      {"/cases/0/failure", {"killed", "$.cases[0].failure: expected an object"}},
      {"/cases/0/flags", {"noisy", "$.cases[0].flags: expected an array"}},
      {"/cases/0/notes/x", {nullptr, "$.cases[0].notes.x: expected a string"}},
      {"/cases/0/metrics/step_seconds/ci95", {{1}, "ci95: expected [low, high]"}},
      {"/cases/0/metrics/step_seconds/ci95", {{2, 1}, "ci95: expected [low, high]"}},
      {"/cases/0/metrics/step_seconds/ci95", {{1, "2"}, "ci95[1]: expected a number"}},
      {"/cases/0/metrics/epoch_seconds/kind", {"guessed", "expected measured or projected"}},
      {"/cases/0/launches/0/samples_seconds", {nullptr, "$.cases[0].launches[0].samples_seconds: expected an array"}}};
  for (const auto& [pointer, change] : bad) {
    const std::string message = refusal(with(good, pointer, change.first), from_json<Report>);
    EXPECT_TRUE(contains(message, change.second)) << pointer << ": " << message;
  }
  EXPECT_EQ(refusal(json::array(), from_json<Report>), "f.json: $: expected an object, found an array");
}

TEST(RunInfo, RefusesAChangedDefinition) {
  RunInfo run = tests::full_run();
  run.definitions.begin()->second["name"] = "vgg19";
  const std::string message = refusal(reparsed(to_json(run)), from_json<RunInfo>);
  EXPECT_TRUE(contains(message, "does not match its SHA-256")) << message;
}

TEST(RunInfo, RefusesACaseThatStandsTwice) {
  RunInfo run = tests::full_run();
  run.planned.push_back(run.planned[0]);
  EXPECT_EQ(refusal(reparsed(to_json(run)), from_json<RunInfo>), "f.json: $.plan[1]: the case is in the plan twice");
}

TEST(RunInfo, GoesThroughJson) {
  RunInfo run = tests::full_run();
  EXPECT_EQ(expect_round_trip(run, from_json<RunInfo>).argv.size(), 3U);
  run.planned.clear();
  run.definitions.clear();
  EXPECT_TRUE(expect_round_trip(run, from_json<RunInfo>).planned.empty());
}

TEST(CaseResult, GoesThroughJson) {
  EXPECT_EQ(expect_round_trip(tests::full_result(), from_json<CaseResult>).status, Status::failed);
}

TEST(CaseResult, HasNoLaunchTwice) {
  CaseResult result = tests::full_result();
  result.launches.push_back(result.launches.front());
  EXPECT_EQ(refusal(reparsed(to_json(result)), from_json<CaseResult>),
            "f.json: $.launches: the same launch occurs twice");
  ++result.launches.back().index;
  EXPECT_EQ(expect_round_trip(result, from_json<CaseResult>).launches.size(), result.launches.size());
}

TEST(CaseResult, IsPublishedOrHasLaunches) {
  CaseResult result = tests::full_result();
  result.published = tests::full_published();
  EXPECT_EQ(refusal(reparsed(to_json(result)), from_json<CaseResult>),
            "f.json: $.published: a published case cannot have launches");
  result.launches.clear();
  EXPECT_EQ(expect_round_trip(result, from_json<CaseResult>).published->speed_up, 2.5);
}

TEST(Report, AGateBelongsToItsPurpose) {
  const json good = reparsed(to_json(full_report()));
  const json plain = with(good, "/run/purpose", "plain");
  EXPECT_TRUE(contains(refusal(plain, from_json<Report>),
                       "the purpose baseline or versus is missing, which the key 'gate' needs"));
  EXPECT_TRUE(contains(refusal(with(good, "/run/gate", nullptr), from_json<Report>), "the key 'gate' is missing"));
}

}  // namespace
}  // namespace mpsbench::schema
