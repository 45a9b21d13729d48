#include "report/metrics/assemble.hpp"

#include "base/error.hpp"
#include "base/json_file.hpp"
#include "support/sample_run.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

namespace mpsbench::report {
namespace {

using schema::Launch;
using schema::Mode;
using schema::RunStatus;
using schema::Status;
using tests::bad_launch;
using tests::good_launch;
using tests::sample_run;
using tests::sample_spec;
using tests::steady_samples;

// A run of one training case at batch 64, with three launches planned.
schema::RunRecord run_of(const std::vector<Launch>& launches) {
  schema::RunRecord record = sample_run({sample_spec("mlp", Mode::train, 64)}, 3);
  if (!launches.empty()) record.launches[record.run.planned[0].id] = launches;
  return record;
}

Launch good() {
  return good_launch(steady_samples(0.01, 21));
}

Launch bad(Status status) {
  return bad_launch(status, "because");
}

TEST(Assemble, CasesAreHeldAgainstTheHostsCeilings) {
  schema::RunRecord record = run_of({good()});
  EXPECT_FALSE(assemble(record).cases[0].metrics.ceiling_share);
  record.host.ceilings = {{"cpu", 2, "", {{schema::Precision::fp32, 1e9}}, {}}};
  const schema::Metrics metrics = assemble(record).cases[0].metrics;
  EXPECT_DOUBLE_EQ(metrics.ceiling_share.value(), metrics.flops_per_second.value() / 1e9);
}

struct Expected {
  std::vector<Launch> launches;
  Status status;
  RunStatus run_status;
};

Launch cut_short(Status status, std::int64_t index) {
  Launch launch = good_launch(steady_samples(0.01, 21), index);
  launch.status = status;
  launch.failure = bad(status).failure;
  return launch;
}

TEST(Assemble, LaunchesThatWereCutShortCount) {
  const schema::CaseResult begun = assemble(run_of({good(), bad(Status::interrupted)})).cases[0];
  EXPECT_EQ(begun.flags, (std::vector<std::string>{"within-launch", "incomplete"}));
  EXPECT_TRUE(begun.metrics.step_seconds.median);
  const schema::CaseResult stopped = assemble(run_of({cut_short(Status::interrupted, 0)})).cases[0];
  EXPECT_EQ(stopped.status, Status::ok);
  EXPECT_EQ(stopped.flags, (std::vector<std::string>{"within-launch", "incomplete"}));
  EXPECT_EQ(stopped.metrics.step_seconds.count, 21);
  const schema::CaseResult late = assemble(run_of({cut_short(Status::timeout, 0), good(), good()})).cases[0];
  EXPECT_EQ(late.status, Status::timeout);
  EXPECT_EQ(late.metrics.step_seconds.count, 63);
}

TEST(Assemble, UnfinishedLaunchesAreInTheReport) {
  schema::RunRecord record = run_of({good(), good()});
  record.unfinished[record.run.planned[0].id] = {cut_short(Status::interrupted, 2)};
  const schema::Report report = assemble(record);
  EXPECT_EQ(report.cases[0].launches.size(), 3U);
  EXPECT_EQ(report.cases[0].metrics.step_seconds.count, 63);
  EXPECT_EQ(report.run.status, RunStatus::interrupted);
}

TEST(Assemble, StatusOfCaseAndRun) {
  const std::vector<Expected> table{
      {{good(), good(), good()}, Status::ok, RunStatus::complete},
      {{good(), bad(Status::crashed), good()}, Status::crashed, RunStatus::partial},
      {{good(), bad(Status::timeout), bad(Status::oom)}, Status::timeout, RunStatus::partial},
      {{bad(Status::oom), bad(Status::skipped), bad(Status::skipped)}, Status::oom, RunStatus::partial},
      {{bad(Status::unsupported), bad(Status::unsupported), bad(Status::unsupported)},
       Status::unsupported,
       RunStatus::complete},
      {{good(), bad(Status::interrupted)}, Status::ok, RunStatus::interrupted},
      {{bad(Status::interrupted)}, Status::interrupted, RunStatus::interrupted},
      {{bad(Status::crashed), bad(Status::interrupted)}, Status::crashed, RunStatus::interrupted},
      {{good(), good()}, Status::ok, RunStatus::partial},
      {{}, Status::interrupted, RunStatus::partial},
  };
  for (const Expected& row : table) {
    const schema::Report report = assemble(run_of(row.launches));
    EXPECT_EQ(to_string(report.cases.at(0).status), to_string(row.status)) << &row - table.data();
    EXPECT_EQ(to_string(report.run.status), to_string(row.run_status)) << &row - table.data();
    EXPECT_EQ(report.cases[0].failure.has_value(), row.status != Status::ok) << &row - table.data();
  }
  schema::RunRecord killed = run_of({good()});
  killed.run.finished_at.reset();
  EXPECT_EQ(assemble(killed).run.status, RunStatus::interrupted);
  schema::RunRecord stopped = run_of({good(), good()});
  stopped.run.status = RunStatus::interrupted;  // the user stopped it between two launches
  EXPECT_EQ(assemble(stopped).run.status, RunStatus::interrupted);
}

TEST(Assemble, CountsComeFromTheDefinition) {
  const schema::Metrics metrics = assemble(run_of({good(), good(), good()})).cases[0].metrics;
  // One layer of 8 x 4 weights. The backward pass computes no gradient of the input, so a step takes 2 FLOP x
  // 64 rows x 32 weights x 2.
  EXPECT_EQ(metrics.parameters, 8 * 4 + 4);
  EXPECT_EQ(metrics.trainable_parameters, metrics.parameters);
  EXPECT_EQ(metrics.flops_per_step, 2 * 64 * 32 * 2);
  EXPECT_DOUBLE_EQ(metrics.flops_per_second.value(), static_cast<double>(metrics.flops_per_step.value()) / 0.01);
  schema::RunRecord record = run_of({good()});
  record.run.definitions.clear();
  EXPECT_THROW((void)assemble(record), base::Error);
}

TEST(Assemble, HomesAreHidden) {
  Launch crashed = bad(Status::crashed);
  crashed.failure = schema::Failure{"exception", "cannot read /home/alice/w", "at /home/alice/w\n"};
  schema::RunRecord record = run_of({crashed});
  record.run.planned[0].weights_path = "/home/alice/w";
  const std::string text = schema::to_json(assemble(record)).dump();
  EXPECT_EQ(text.find("alice"), std::string::npos);
  EXPECT_NE(text.find("--log-file=~/log.txt"), std::string::npos);
}

TEST(Assemble, CasesKeepThePlansOrder) {
  const schema::RunRecord record =
      sample_run({sample_spec("mlp", Mode::train, 64), sample_spec("mlp", Mode::infer, 1)}, 1);
  const schema::Report report = assemble(record);
  ASSERT_EQ(report.cases.size(), 2U);
  EXPECT_EQ(report.cases[0].id, record.run.planned[0].id);
  EXPECT_EQ(report.cases[1].id, record.run.planned[1].id);
}

nlohmann::json json_of(const schema::Report& report) {
  return nlohmann::json::parse(base::to_text(schema::to_json(report)));
}

TEST(Recompute, LeavesWhatFollowsFromTheSamples) {
  schema::Report report = assemble(run_of({good(), good(), bad(Status::oom)}));
  report.cases[0].flags.emplace_back("hot");
  nlohmann::json document = json_of(report);
  EXPECT_TRUE(recompute(report, document).empty());
  EXPECT_EQ(report.cases[0].flags.back(), "hot");
  document["cases"][0]["metrics"]["step_seconds"]["median"] = 0.01 * (1 + 1e-9);
  EXPECT_TRUE(recompute(report, document).empty()) << "rounding differs between machines";
  document["cases"][0]["metrics"].erase("mean_rows_per_second");
  EXPECT_TRUE(recompute(report, document).empty()) << "an older report lacks it";
}

TEST(Recompute, NamesAndReplacesWhatDoesNot) {
  const schema::Report original = assemble(run_of({good(), good_launch(steady_samples(0.01, 21), 1)}));
  const std::tuple<const char*, nlohmann::json, const char*, const char*> changes[] = {
      {"/step_seconds/median", 0.02, "step_seconds.median", "0.01"},
      {"/step_seconds/ci95", nullptr, "step_seconds.ci95", ""},
      {"/rows_per_second/kind", "epochs", "rows_per_second.kind", "\"median-step\""},
      {"/energy_joules_per_row", 1.5, "energy_joules_per_row", "null"},
      {"/parameters", 7, "parameters", "36"}};
  for (const auto& [pointer, value, key, computed] : changes) {
    nlohmann::json document = json_of(original);
    document["cases"][0]["metrics"][nlohmann::json::json_pointer(pointer)] = value;
    schema::Report report = schema::from_json<schema::Report>(base::Reader(document, "a.json"));
    report.cases[0].flags = {"noisy"};
    const std::vector<Unfounded> found = recompute(report, document);
    ASSERT_EQ(found.size(), 1U) << pointer;
    EXPECT_EQ(found[0].number, 0U);
    EXPECT_EQ(found[0].key, key);
    EXPECT_EQ(found[0].stored, value.dump());
    EXPECT_EQ(found[0].computed, computed);
    EXPECT_EQ(json_of(report), json_of(original)) << pointer;
  }
}

TEST(Recompute, SparesPublishedCases) {
  schema::Report report = assemble(run_of({}));
  report.cases[0].published.emplace();
  report.cases[0].metrics.step_seconds.mean = 3;
  EXPECT_TRUE(recompute(report, json_of(report)).empty());
  EXPECT_EQ(report.cases[0].metrics.step_seconds.mean, 3);
  report.cases[0].published.reset();
  EXPECT_EQ(recompute(report, json_of(report)).size(), 1U) << "no launch, but a time";
}

}  // namespace
}  // namespace mpsbench::report
