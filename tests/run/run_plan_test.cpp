#include "run/run_plan.hpp"

#include "suite/support.hpp"
#include "support/errors.hpp"
#include "support/sample_run.hpp"
#include "support/scratch.hpp"

namespace mpsbench::run {

namespace {

using schema::Mode;

TEST(RequireCountable, RefusesMoreThanAMillionLaunches) {
  const schema::CaseSpec spec = tests::sample_spec("mlp", Mode::train, 2);
  schema::RunRecord record = tests::sample_run({spec, spec}, 500'000);
  require_countable(record);
  ++record.run.planned[1].repeats;
  EXPECT_TRUE(tests::contains(tests::usage_error_of([&] { require_countable(record); }), "more than a million"));
  record.run.planned[1].repeats = 9223372036854775807;
  EXPECT_TRUE(tests::contains(tests::usage_error_of([&] { require_countable(record); }), "more than a million"));
}

using schema::Purpose;

// Uses a worker that does not report the devices, so that only the CPU is usable.
RunPlan run_plan_of(std::vector<std::pair<std::string, std::string>> texts, Purpose purpose = Purpose::plain) {
  const tests::ScopedVariable worker("MPSBENCH_WORKER", "/nowhere/mpsbench-worker");
  texts.emplace_back("model", "mlp");
  Options options;
  options.purpose = purpose;
  options.argv = {"mpsbench", "run", "--log-file=/home/alice/log"};
  return make_run_plan(read_request(tests::project_catalog(), {}, tests::settings_of(texts)), options,
                       tests::project_catalog());
}

TEST(RunPlan, RecordsThePurpose) {
  for (const schema::PurposeRow& row : schema::ClosedSet<schema::Purpose>::kRows) {
    if (row.value == Purpose::search) continue;
    EXPECT_EQ(run_plan_of({{"device", "cpu"}}, row.value).record.run.purpose, row.value) << row.name;
  }
}

TEST(RunPlan, OfAPlainRunIsASearchWhereBatchesAreOpen) {
  const std::vector<std::pair<std::string, std::string>> largest{{"device", "cpu"}, {"batch-size", "max"}};
  const RunPlan plan = run_plan_of(largest);
  EXPECT_EQ(plan.record.run.purpose, Purpose::search);
  EXPECT_FALSE(plan.open.empty());
  EXPECT_EQ(run_plan_of(largest, Purpose::baseline).record.run.purpose, Purpose::baseline);
  EXPECT_EQ(run_plan_of(largest, Purpose::calibrate).record.run.purpose, Purpose::calibrate);
}

TEST(RunPlan, ProjectsOnlyTraining) {
  const auto project = [](const char* mode, const char* batch) {
    (void)run_plan_of({{"device", "cpu"}, {"mode", mode}, {"batch-size", batch}, {"epochs-projected", "90"}});
  };
  for (const char* batch : {"8", "max"}) {
    EXPECT_EQ(tests::usage_error_of([&] { project("infer", batch); }),
              "--epochs-projected: has no effect, because no case of the plan trains; leave it out, or add "
              "--mode train");
    EXPECT_NO_THROW(project("train", batch));
  }
  EXPECT_NO_THROW(project("train,infer", "8"));
}

TEST(RunPlan, JudgesTheLatencyOnlyOfInference) {
  const auto judge = [](const char* mode, const char* batch, const char* metrics) {
    (void)run_plan_of({{"device", "cpu"}, {"mode", mode}, {"batch-size", batch}, {"gate-on", metrics}});
  };
  for (const char* batch : {"8", "max"}) {
    EXPECT_EQ(tests::usage_error_of([&] { judge("train", batch, "latency-p99=1%"); }),
              "--gate-on: judges nothing, because only inference has a latency, and no case of the plan infers; "
              "add --mode infer, or a metric such as step");
    EXPECT_NO_THROW(judge("infer", batch, "latency-p99"));
  }
  EXPECT_NO_THROW(judge("train,infer", "8", "latency-p99"));
  EXPECT_NO_THROW(judge("train", "8", "latency-p99,step"));
}

TEST(RunPlan, OfAGateHasTheLaunchesOfAFirstLook) {
  const auto repeats = [](const RunPlan& plan) { return plan.record.run.planned.front().repeats; };
  EXPECT_EQ(repeats(run_plan_of({{"device", "cpu"}})), 3);
  EXPECT_EQ(repeats(run_plan_of({{"device", "cpu"}}, Purpose::versus)), 5);
  EXPECT_EQ(repeats(run_plan_of({{"device", "cpu"}, {"repeats", "2"}}, Purpose::baseline)), 2);
}

TEST(RunPlan, WithATimeLimitRecordsThatItsLaunchesArePlanned) {
  const RunPlan planned = run_plan_of({{"device", "cpu"}, {"mode", "train"}, {"time-limit", "12s"}});
  EXPECT_EQ(planned.time_limit_seconds, 12);
  EXPECT_EQ(planned.record.run.planned_within_seconds, 12);
  EXPECT_DOUBLE_EQ(planned.record.run.planned.front().measure.max_time_seconds, 1);
  const RunPlan counted = run_plan_of({{"device", "cpu"}, {"time-limit", "6s"}, {"repeats", "2"}});
  EXPECT_EQ(counted.time_limit_seconds, 6);
  EXPECT_FALSE(counted.record.run.planned_within_seconds);
  EXPECT_DOUBLE_EQ(counted.record.run.planned.front().measure.max_time_seconds, 5);
}

TEST(RunPlan, HidesTheHomeFolderAndNamesThePlace) {
  const RunPlan plan = run_plan_of({{"device", "cpu"}});
  EXPECT_EQ(plan.record.run.argv.back(), "--log-file=~/log");
  EXPECT_EQ(plan.record.run.suite, "adhoc");
  EXPECT_EQ(plan.report.parent_path(), "results");
  EXPECT_TRUE(plan.report.filename().string().ends_with("-adhoc.json")) << plan.report;
}

TEST(RunPlan, KnowsWhenNothingCanRun) {
  const RunPlan none = run_plan_of({{"device", "cuda"}});
  EXPECT_TRUE(none.nothing_can_run());
  EXPECT_EQ(none.best_exit_code(), base::ExitCode::no_device);
  EXPECT_EQ(none.record.run.planned.front().repeats, 1);
  RunPlan some = run_plan_of({{"device", "cpu,cuda"}});
  EXPECT_FALSE(some.nothing_can_run());
  EXPECT_EQ(some.best_exit_code(), base::ExitCode::ok);
  some.record.run.strict = true;
  EXPECT_EQ(some.best_exit_code(), base::ExitCode::no_device);
}

TEST(RunPlan, IsPrintedPlainWhereItIsOneLoopADevice) {
  const auto refusal = [](std::vector<std::pair<std::string, std::string>> texts) {
    texts.insert(texts.end(), {{"plain", "true"}, {"device", "cpu"}});
    return tests::usage_error_of([&] { (void)run_plan_of(texts); });
  };
  EXPECT_TRUE(tests::contains(refusal({{"mode", "train"}}), "--plain: prints the time of a loop; add --iterations N"));
  EXPECT_TRUE(tests::contains(refusal({{"iterations", "5"}}), "--plain: prints one line per device"));
  EXPECT_EQ(run_plan_of({{"plain", "true"}, {"device", "cpu"}, {"mode", "train"}, {"iterations", "5"}})
                .record.run.planned.size(),
            1U);
}

TEST(RunPlan, WantsASuiteOrAModel) {
  EXPECT_EQ(tests::usage_error_of([] { (void)make_run_plan({}, {}, tests::project_catalog()); }),
            "name a suite or --model; see `mpsbench list suites`");
}

}  // namespace

}  // namespace mpsbench::run
