#include "run/start.hpp"

#include "report/compare/required_launches.hpp"
#include "run/session/task.hpp"
#include "run/support.hpp"

namespace mpsbench::run {
namespace {

using tests::contains;
using tests::Scratch;

RunPlan plan_at(const std::filesystem::path& report) {
  RunPlan plan;
  plan.record = tests::quick_run(2);
  plan.record.run.purpose = schema::Purpose::plain;
  plan.report = report;
  return plan;
}

Options named(const std::filesystem::path& report) {
  Options options;
  options.report = report;
  return options;
}

TEST(StartRun, MeasuresThePlan) {
  const Scratch scratch;
  const tests::ScopedVariable worker("MPSBENCH_WORKER", tests::fake_worker().c_str());
  const auto file = scratch / "new/a.json";
  RunPlan plan = plan_at(file);
  PlainRun task;
  tests::RecordingView view;
  EXPECT_EQ(start_run(plan, task, named(file), view), base::ExitCode::ok);
  EXPECT_EQ(view.told, (std::vector<std::string>{"begin 1", "end", "report complete", "written a.json"}));
  EXPECT_TRUE(contains(tests::content(file), "\"purpose\": \"plain\""));
}

TEST(StartRun, FillsItsTimeWithLaunches) {
  const Scratch scratch;
  const tests::ScopedVariable worker("MPSBENCH_WORKER", tests::fake_worker().c_str());
  RunPlan plan = plan_at(scratch / "a.json");
  plan.time_limit_seconds = 600;
  plan.record.run.planned_within_seconds = 600;
  PlainRun task;
  tests::RecordingView view;
  EXPECT_EQ(start_run(plan, task, named(plan.report), view), base::ExitCode::ok);
  EXPECT_EQ(plan.record.run.planned[0].repeats, report::kMostPlanned);
  EXPECT_EQ(view.told, (std::vector<std::string>{"begin 1, goes on", "end", "begin 1", "end", "report complete",
                                                 "written a.json"}));
}

TEST(StartRun, SaysThatTheWorkerIsMissingBeforeAJournalExists) {
  const Scratch scratch;
  const tests::ScopedVariable worker("MPSBENCH_WORKER", "/nowhere/mpsbench-worker");
  RunPlan plan = plan_at(scratch / "a.json");
  PlainRun task;
  tests::RecordingView view;
  EXPECT_TRUE(contains(tests::usage_error_of([&] { (void)start_run(plan, task, named(plan.report), view); }),
                       "the worker program /nowhere/mpsbench-worker is missing"));
  EXPECT_TRUE(std::filesystem::is_empty(scratch.root()));
}

TEST(StartRun, RefusesAPlanOfWhichNothingCanRun) {
  const Scratch scratch;
  RunPlan plan = plan_at(scratch / "a.json");
  plan.record.launches[plan.record.run.planned[0].id] = {
      tests::bad_launch(schema::Status::unsupported, "no such device here")};
  PlainRun task;
  tests::RecordingView view;
  EXPECT_EQ(tests::error_of(base::ErrorKind::no_device, [&] { (void)start_run(plan, task, named(plan.report), view); }),
            "no such device here");
  EXPECT_TRUE(std::filesystem::is_empty(scratch.root()));
}

}  // namespace
}  // namespace mpsbench::run
