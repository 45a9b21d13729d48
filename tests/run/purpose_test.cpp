#include "run/purpose.hpp"

#include "base/log.hpp"
#include "run/calibration_task.hpp"
#include "run/gate/versus_gate.hpp"
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
  EXPECT_TRUE(is<VersusGate>(new_task(options)));
  options.purpose = Purpose::baseline;
  options.baseline = "/nowhere/old.json";
  EXPECT_TRUE(tests::contains(tests::usage_error_of([&] { (void)new_task(options); }), "/nowhere/old.json"));
}

TEST(Task, OfAResumedRunIsWhatItWas) {
  schema::RunRecord record = tests::quick_run(2);
  for (const Purpose purpose : {Purpose::plain, Purpose::search}) {
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

TEST(Task, OfARunWithoutAPurposeIsAPlainOneAndSaysSo) {
  const schema::RunRecord record = tests::quick_run(2);
  testing::internal::CaptureStderr();
  const std::unique_ptr<Task> task = resumed_task(record, "a.json");
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(is<PlainRun>(task));
  EXPECT_TRUE(tests::contains(said, "a.json does not record the purpose of its run")) << said;
  EXPECT_TRUE(tests::contains(said, "mpsbench compare BASELINE a.json")) << said;
}

}  // namespace
}  // namespace mpsbench::run
