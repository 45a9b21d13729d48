#include "run/gate/baseline_gate.hpp"

#include "base/hex.hpp"
#include "base/json_file.hpp"
#include "report/metrics/assemble.hpp"
#include "run/journaled_runs.hpp"
#include "run/support.hpp"
#include "supervise/journal.hpp"

namespace mpsbench::run {
namespace {

using tests::contains;
using tests::Scratch;
using tests::usage_error_of;

schema::RunRecord measured(std::int64_t launches) {
  schema::RunRecord record = tests::quick_run(launches);
  for (std::int64_t i = 0; i < launches; ++i)
    record.launches[record.run.planned[0].id].push_back(tests::good_launch({0.01, 0.011}, i));
  return record;
}

class BaselineGateTest : public testing::Test {
 protected:
  BaselineGateTest() {
    schema::RunRecord old = measured(5);
    old.run.planned[0].measure.max_time_seconds = 2;
    write("old.json", old);
    options_.purpose = schema::Purpose::baseline;
    options_.baseline = (scratch_ / "old.json").string();
    options_.gate.fail_on_regression = true;
  }

  std::filesystem::path write(const std::string& name, const schema::RunRecord& record) const {
    return scratch_.write(name, base::to_text(schema::to_json(report::assemble(record))));
  }

  std::string refusal(const schema::RunRecord& record) const {
    return usage_error_of([&] { const BaselineGate gate(record, "new.json"); });
  }

  Scratch scratch_;
  tests::ScopedVariable home_{"HOME", scratch_.root().c_str()};
  tests::ScopedVariable cache_{"XDG_CACHE_HOME", scratch_.root().c_str()};
  Options options_;
};

TEST_F(BaselineGateTest, RecordsWhatItJudgesBy) {
  schema::RunRecord record = tests::quick_run(5);
  BaselineGate(options_).prepare(record);
  const schema::GateInfo gate = record.run.gate.value();
  EXPECT_TRUE(gate.fail_on_regression);
  EXPECT_FALSE(gate.is_extended);
  EXPECT_EQ(gate.baseline->path, "~/old.json");
  EXPECT_EQ(gate.baseline->sha256, base::sha256_hex(tests::content(scratch_ / "old.json")));
}

TEST_F(BaselineGateTest, TakesTheBaselinesLaunchTimes) {
  schema::RunRecord record = tests::quick_run(5);
  BaselineGate(options_).prepare(record);
  EXPECT_EQ(record.run.planned[0].measure.max_time_seconds, 2);
}

TEST_F(BaselineGateTest, RefusesABaselineOfOtherWorkOrAnotherMachine) {
  const auto refuses = [this](schema::RunRecord record) {
    BaselineGate gate(options_);
    return tests::error_of(base::ErrorKind::not_comparable, [&] { gate.prepare(record); });
  };
  schema::RunRecord other = tests::quick_run(5);
  other.run.planned[0].id = "other";
  EXPECT_TRUE(contains(refuses(other), "has none of this run's cases. The nearest are "));
  schema::RunRecord elsewhere = tests::quick_run(5);
  elsewhere.host.name = "elsewhere";
  EXPECT_TRUE(contains(refuses(elsewhere), "is not from this machine and device (elsewhere)"));
  options_.gate.force = true;
  EXPECT_NO_THROW(BaselineGate(options_).prepare(elsewhere));
}

TEST_F(BaselineGateTest, RefusesAJournal) {
  (void)supervise::Journal::create(scratch_ / "old.jsonl", measured(1));
  options_.baseline = (scratch_ / "old.jsonl").string();
  EXPECT_TRUE(contains(usage_error_of([&] { const BaselineGate gate(options_); }), "--resume"));
}

TEST_F(BaselineGateTest, GoesOnOnlyWithTheBaselineOfBefore) {
  schema::RunRecord record = tests::quick_run(5);
  record.run.purpose = schema::Purpose::baseline;
  EXPECT_EQ(refusal(record), "--resume: new.json: $.run.purpose is baseline, but $.run.gate names no baseline");
  BaselineGate(options_).prepare(record);
  EXPECT_NO_THROW(BaselineGate(record, "new.json"));
  const std::string path = (scratch_ / "old.json").string();
  const std::string before = tests::content(path);
  scratch_.write("old.json", before + "\n");
  const auto unlike = [&record] {
    return tests::error_of(base::ErrorKind::not_comparable, [&] { const BaselineGate gate(record, "new.json"); });
  };
  EXPECT_EQ(unlike(), "--resume: the run's baseline " + path + " has changed since the run started (SHA-256)");
  std::filesystem::remove(path);
  EXPECT_EQ(unlike(), "--resume: the run's baseline " + path + " no longer exists");
}

TEST_F(BaselineGateTest, ComparesWithTheBaselineWhenTheRunHasEnded) {
  schema::RunRecord record = tests::quick_run(3);
  record.run.purpose = schema::Purpose::baseline;
  BaselineGate gate(options_);
  gate.prepare(record);
  Session session(open_journals(scratch_ / "new.json", true, {{&record, tests::fake_worker()}}), false);
  tests::RecordingView view;
  EXPECT_EQ(gate.run(session, view), base::ExitCode::regression) << "64 ms per step against 10 ms";
  EXPECT_EQ(view.told.back(), "slower");
}

}  // namespace
}  // namespace mpsbench::run
