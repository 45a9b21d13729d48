#include "schema/report.hpp"

#include "schema/round_trip.hpp"
#include "schema/samples.hpp"

namespace mpsbench::schema {
namespace {

using tests::contains;
using tests::expect_round_trip;
using tests::full_report;
using tests::json;
using tests::refusal;
using tests::reparsed;
using tests::with;

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
      {"/run/percentiles", {{99, 50}, "$.run.percentiles: expected numbers between 0 and 100, in rising order"}},
      {"/run/percentiles", {{50, 100}, "$.run.percentiles: expected numbers between 0 and 100, in rising order"}},
      {"/run/plan", {json::array(), "$.run.plan: must name the cases of $.run.planned"}},
      {"/run/plan/0", {"other", "$.run.plan: must name the cases"}},
      {"/run/plan", {{"a", "b"}, "$.run.plan: must name the cases"}},
      {"/run/definitions", {json::array(), "$.run.definitions: expected an object"}},
      {"/run/definitions", {json::object(), "$.run.plan[0]: $.run.definitions lacks this case's"}},
      {"/cases", {json::object(), "$.cases: expected an array"}},
      {"/cases", {json::array(), "$.cases: must have the cases of $.run.plan"}},
      {"/cases", {{good.at("cases")[0], good.at("cases")[0]}, "$.cases: must have the cases"}},
      {"/cases/0/id", {"foreign", "$.cases: must have the cases of $.run.plan"}},
      {"/cases/0/definition_sha256", {"0", "$.cases: must have the cases of $.run.plan"}},
      {"/cases/0/notes/x", {nullptr, "$.cases[0].notes.x: expected a string"}},
      {"/cases/0/launches/0/samples_seconds", {nullptr, "$.cases[0].launches[0].samples_seconds: expected an array"}}};
  for (const auto& [pointer, change] : bad) {
    const std::string message = refusal(with(good, pointer, change.first), from_json<Report>);
    EXPECT_TRUE(contains(message, change.second)) << pointer << ": " << message;
  }
  EXPECT_EQ(refusal(json::array(), from_json<Report>), "f.json: $: expected an object, found an array");
}

TEST(TimedLoop, DiffersFromAnyNetwork) {
  EXPECT_TRUE(is_timed_loop(timed_loop_definition("mine")));
  EXPECT_FALSE(is_timed_loop({{"name", "mine"}, {"layers", nlohmann::json::array()}}));
  EXPECT_FALSE(is_timed_loop(nullptr));
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

TEST(CaseResult, HasNoLaunchTwice) {
  CaseResult result = tests::full_result();
  result.launches.push_back(result.launches.front());
  EXPECT_EQ(refusal(reparsed(to_json(result)), from_json<CaseResult>),
            "f.json: $.launches: the same launch occurs twice");
  CaseResult other = result;
  ++other.launches.back().index;
  EXPECT_EQ(expect_round_trip(other, from_json<CaseResult>).launches.size(), other.launches.size());
  result.launches.back().samples_seconds.front() *= 2;
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
