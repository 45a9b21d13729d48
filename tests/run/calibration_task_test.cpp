#include "run/calibration_task.hpp"

#include "run/journaled_runs.hpp"
#include "run/support.hpp"

namespace mpsbench::run {
namespace {

TEST(CalibrationTask, IsTenRunsInOne) {
  schema::RunRecord record = tests::quick_run(3);
  CalibrationTask("s.json: $.repeats").prepare(record);
  EXPECT_EQ(record.run.planned[0].repeats, 30);
}

TEST(CalibrationTask, LeavesCasesThatDoNotRun) {
  schema::RunRecord record = tests::quick_run(1);
  record.run.planned[0].is_bound = true;
  CalibrationTask().prepare(record);
  EXPECT_EQ(record.run.planned[0].repeats, 1);
  record.run.planned[0].is_bound = false;
  record.launches[record.run.planned[0].id] = {tests::bad_launch(schema::Status::unsupported, "not here")};
  CalibrationTask().prepare(record);
  EXPECT_EQ(record.run.planned[0].repeats, 1);
}

TEST(CalibrationTask, NeedsTwoLaunchesARun) {
  schema::RunRecord record = tests::quick_run(1);
  EXPECT_EQ(tests::usage_error_of([&] { CalibrationTask("s.json: $.repeats").prepare(record); }),
            "s.json: $.repeats: one launch per run does not show its spread; give --repeats 2 or more");
}

TEST(CalibrationTask, KeepsTheSpreadAndTellsIt) {
  const tests::Scratch scratch;
  const tests::ScopedVariable cache("XDG_CACHE_HOME", scratch.root().c_str());
  schema::RunRecord record = tests::quick_run(2);
  CalibrationTask calibration;
  calibration.prepare(record);
  Session session(open_journals(scratch / "a.json", true, {{&record, tests::fake_worker()}}), false);
  tests::RecordingView view;
  EXPECT_EQ(calibration.run(session, view), base::ExitCode::ok);
  EXPECT_EQ(view.told.back(), "calibrated 1");
  EXPECT_EQ(record.launches.begin()->second.size(), 20U);
  EXPECT_TRUE(std::filesystem::exists(scratch / "mpsbench"));
}

}  // namespace
}  // namespace mpsbench::run
