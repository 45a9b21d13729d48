#include "run/run_plan.hpp"

#include "report/compare/required_launches.hpp"
#include "run/support.hpp"
#include "run/tasks.hpp"
#include "suite/support.hpp"

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

TEST(RunPlan, RefusesWhatNoCaseCanDo) {
  const auto plan = [](const char* mode, const char* batch, const char* option, const char* value) {
    (void)run_plan_of({{"device", "cpu"}, {"mode", mode}, {"batch-size", batch}, {option, value}});
  };
  for (const char* batch : {"8", "max"}) {
    EXPECT_EQ(tests::usage_error_of([&] { plan("infer", batch, "epochs-projected", "90"); }),
              "--epochs-projected: has no effect, because no case of the plan trains; leave it out, or add "
              "--mode train");
    EXPECT_NO_THROW(plan("train", batch, "epochs-projected", "90"));
    EXPECT_EQ(tests::usage_error_of([&] { plan("train", batch, "gate-on", "latency-p99=1%"); }),
              "--gate-on: judges nothing, because no case of the plan has a latency-p99; add --mode infer, or a "
              "metric such as step");
    EXPECT_TRUE(tests::contains(tests::usage_error_of([&] { plan("infer", batch, "gate-on", "first-token"); }),
                                "has a first-token; add --mode generate"));
    EXPECT_NO_THROW(plan("infer", batch, "gate-on", "latency-p99"));
    EXPECT_EQ(tests::usage_error_of([&] { plan("infer", batch, "compile-mode", "max-autotune"); }),
              "--compile-mode: has no effect, because no case of the plan is compiled; leave it out, or add --engine "
              "compiled");
  }
  EXPECT_NO_THROW(plan("train,infer", "8", "epochs-projected", "90"));
  EXPECT_NO_THROW(plan("train,infer", "8", "gate-on", "latency-p99"));
  EXPECT_NO_THROW(plan("train", "8", "gate-on", "latency-p99,step"));
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

TEST(RunPlan, RecordsWhatTheRunWasToldAndHidesTheHomeFolder) {
  const RunPlan plan = run_plan_of({{"device", "cpu"},
                                    {"seed", "7"},
                                    {"price", "1000"},
                                    {"epochs-projected", "90"},
                                    {"percentiles", "99.9,50,99.9"},
                                    {"strict", "true"},
                                    {"host-name", "h"}});
  const schema::RunInfo& run = plan.record.run;
  EXPECT_EQ(run.argv.back(), "--log-file=~/log");
  EXPECT_EQ(run.suite, "adhoc");
  EXPECT_EQ(run.seed, 7);
  EXPECT_EQ(run.price_dollars, 1000);
  EXPECT_EQ(run.epochs_projected, 90);
  EXPECT_EQ(run.percentiles, (std::vector<double>{50, 99.9}));
  EXPECT_TRUE(run.strict);
  EXPECT_EQ(plan.report.parent_path(), "results");
  EXPECT_TRUE(plan.report.filename().string().starts_with("h-")) << plan.report;
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

using tests::contains;
using tests::Scratch;

class StartRun : public testing::Test {
 protected:
  StartRun() {
    plan_.record = tests::quick_run(2);
    plan_.record.run.purpose = Purpose::plain;
    plan_.report = scratch_ / "a.json";
  }

  base::ExitCode start() {
    Options options;
    options.report = plan_.report;
    PlainRun task;
    return start_run(plan_, task, options, view_.sink());
  }

  tests::Scratch scratch_;
  RunPlan plan_;
  tests::RecordingView view_;
};

TEST_F(StartRun, MeasuresThePlan) {
  const tests::ScopedVariable worker("MPSBENCH_WORKER", tests::fake_worker().c_str());
  plan_.report = scratch_ / "new/a.json";
  EXPECT_EQ(start(), base::ExitCode::ok);
  EXPECT_EQ(view_.told, (std::vector<std::string>{"begin 1", "end", "report complete", "written a.json"}));
  EXPECT_TRUE(tests::contains(tests::content(plan_.report), "\"purpose\": \"plain\""));
}

TEST_F(StartRun, FillsItsTimeWithLaunches) {
  const tests::ScopedVariable worker("MPSBENCH_WORKER", tests::fake_worker().c_str());
  plan_.time_limit_seconds = 600;
  plan_.record.run.planned_within_seconds = 600;
  EXPECT_EQ(start(), base::ExitCode::ok);
  EXPECT_EQ(plan_.record.run.planned[0].repeats, report::kMostPlanned);
  EXPECT_EQ(view_.told, (std::vector<std::string>{"begin 1, goes on", "end", "begin 1", "end", "report complete",
                                                  "written a.json"}));
}

TEST_F(StartRun, RefusesBeforeAJournalExists) {
  const tests::ScopedVariable worker("MPSBENCH_WORKER", "/nowhere/mpsbench-worker");
  EXPECT_TRUE(tests::contains(tests::usage_error_of([&] { (void)start(); }),
                              "the worker program /nowhere/mpsbench-worker is missing"));
  plan_.record.launches[plan_.record.run.planned[0].id] = {
      tests::bad_launch(schema::Status::unsupported, "no such device here")};
  EXPECT_EQ(tests::error_of(base::ErrorKind::no_device, [&] { (void)start(); }), "no such device here");
  EXPECT_TRUE(std::filesystem::is_empty(scratch_.root()));
}

}  // namespace
}  // namespace mpsbench::run
