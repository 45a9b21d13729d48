#include "run/tasks.hpp"

#include "run/gate/gate.hpp"
#include "run/support.hpp"

namespace mpsbench::run {
namespace {

using schema::Purpose;

template <typename Kind>
bool is(const std::unique_ptr<Task>& task) {
  return dynamic_cast<Kind*>(task.get()) != nullptr;
}

TEST(Task, IsOfThePurpose) {
  Options options;
  EXPECT_TRUE(is<PlainRun>(new_task(options)));
  options.purpose = Purpose::calibrate;
  EXPECT_TRUE(is<CalibrationTask>(new_task(options)));
  options.purpose = Purpose::versus;
  EXPECT_TRUE(is<Gate>(new_task(options)));
  options.purpose = Purpose::baseline;
  options.baseline = "/nowhere/old.json";
  EXPECT_TRUE(tests::contains(tests::usage_error_of([&] { (void)new_task(options); }), "/nowhere/old.json"));
}

TEST(Task, OfAResumedRunIsWhatItWas) {
  schema::RunRecord record = tests::quick_run(2);
  for (const auto& purpose : std::vector<std::optional<Purpose>>{std::nullopt, Purpose::plain, Purpose::search}) {
    record.run.purpose = purpose;
    EXPECT_TRUE(is<PlainRun>(resumed_task(record, "a.json")));
  }
  record.run.purpose = Purpose::calibrate;
  EXPECT_EQ(tests::usage_error_of([&] { (void)resumed_task(record, "a.json"); }),
            "--resume: a.json: $.run.planned[0].repeats: 2 launches cannot be divided into the 10 runs of a "
            "calibration");
  record.run.planned[0].repeats = 20;
  EXPECT_TRUE(is<CalibrationTask>(resumed_task(record, "a.json")));
  record.run.purpose = Purpose::baseline;
  EXPECT_TRUE(tests::contains(tests::usage_error_of([&] { (void)resumed_task(record, "a.json"); }), "$.run.gate"));
}

TEST(CalibrationTask, IsTenRunsOfTwoLaunchesOrMoreInOne) {
  const auto repeats_of = [](schema::RunRecord record) {
    CalibrationTask("s.json: $.repeats").prepare(record);
    return record.run.planned[0].repeats;
  };
  EXPECT_EQ(repeats_of(tests::quick_run(3)), 30);
  schema::RunRecord one = tests::quick_run(1);
  EXPECT_EQ(tests::usage_error_of([&] { (void)repeats_of(one); }),
            "s.json: $.repeats: one launch per run does not show its spread; give --repeats 2 or more");
  one.run.planned[0].is_bound = true;
  EXPECT_EQ(repeats_of(one), 1) << "it does not run";
  one.run.planned[0].is_bound = false;
  one.launches[one.run.planned[0].id] = {tests::bad_launch(schema::Status::unsupported, "not here")};
  EXPECT_EQ(repeats_of(one), 1);
}

TEST(CalibrationTask, KeepsTheSpreadAndTellsIt) {
  const tests::Scratch scratch;
  const tests::ScopedVariable cache("XDG_CACHE_HOME", scratch.root().c_str());
  schema::RunRecord record = tests::quick_run(2);
  CalibrationTask calibration;
  calibration.prepare(record);
  tests::RecordingView view;
  Session session(open_journals(scratch / "a.json", true, {{&record, tests::fake_worker()}}), view.sink());
  EXPECT_EQ(calibration.run(session), base::ExitCode::ok);
  EXPECT_EQ(view.told.back(), "calibrated 1");
  EXPECT_EQ(record.launches.begin()->second.size(), 20U);
  EXPECT_TRUE(std::filesystem::exists(scratch / "mpsbench"));
}

}  // namespace
}  // namespace mpsbench::run
