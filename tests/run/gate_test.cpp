#include "run/gate/gate.hpp"

#include "base/hex.hpp"
#include "base/json_file.hpp"
#include "report/metrics/assemble.hpp"
#include "run/support.hpp"
#include "supervise/journal.hpp"

#include <algorithm>

namespace mpsbench::run {
namespace {

using base::ExitCode;
using report::Verdict;
using tests::contains;
using tests::Scratch;
using tests::usage_error_of;

report::Comparison comparison_of(const std::vector<Verdict>& verdicts) {
  report::Comparison comparison;
  for (const Verdict verdict : verdicts) comparison.cases.emplace_back().verdict = verdict;
  return comparison;
}

TEST(ComparisonOutcome, FailsOnWhatItIsAskedTo) {
  const report::Comparison slower = comparison_of({Verdict::same, Verdict::slower});
  EXPECT_EQ(comparison_outcome(slower, {}), ExitCode::ok);
  EXPECT_EQ(comparison_outcome(slower, {.undecided = true}), ExitCode::ok);
  EXPECT_EQ(comparison_outcome(slower, {.regression = true}), ExitCode::regression);
  for (const Verdict verdict : {Verdict::undecided, Verdict::not_compared}) {
    const report::Comparison open = comparison_of({Verdict::faster, verdict});
    EXPECT_EQ(comparison_outcome(open, {.regression = true}), ExitCode::ok);
    EXPECT_EQ(comparison_outcome(open, {.undecided = true}), ExitCode::regression);
  }
}

TEST(ComparisonOutcome, OfNothingComparedIsNotComparable) {
  EXPECT_EQ(comparison_outcome(comparison_of({Verdict::not_compared}), {true, true}), ExitCode::not_comparable);
}

TEST(NotesOf, RefusesObstaclesUnlessForced) {
  EXPECT_EQ(notes_of({{}, {"a caveat"}}, false), std::vector<std::string>{"a caveat"});
  EXPECT_EQ(notes_of({{"other work"}, {"a caveat"}}, true), (std::vector<std::string>{"other work", "a caveat"}));
  const std::string message =
      tests::error_of(base::ErrorKind::not_comparable, [] { (void)notes_of({{"other work"}, {}}, false); });
  EXPECT_EQ(message, "the reports cannot be compared: other work; --force compares them anyway");
}

TEST(VersusCommand, TakesTurnsInPlaceOfTheBaseline) {
  const tests::ScopedVariable home("HOME", "/home/alice");
  const auto command = [](std::vector<std::string> options) {
    options.insert(options.begin(), {"/opt/bin/mpsbench", "run"});
    return versus_command(options);
  };
  const std::string end = " --versus OLD/mpsbench-worker";
  EXPECT_EQ(command({"quick", "--baseline", "old.json", "--fail-on-regression"}),
            "mpsbench run quick --fail-on-regression" + end);
  EXPECT_EQ(command({"-m", "~/my net.json"}), "mpsbench run -m '/home/alice/my net.json'" + end);
  EXPECT_EQ(command({"--rows", "5", "--ranks=2"}), "mpsbench run --rows 5 --ranks=2" + end) << "they only begin alike";
  for (std::vector<std::string> own : {std::vector<std::string>{"-r", "5"},
                                       {"-r5"},
                                       {"--repeats=5"},
                                       {"--repeats", "5"},
                                       {"--export-json", "x.json"},
                                       {"--export-json=x.json"},
                                       {"--versus", "worker"},
                                       {"--baseline=old.json"}}) {
    own.insert(own.end(), {"-m", "my net.json"});
    EXPECT_EQ(command(own), "mpsbench run -m 'my net.json'" + end) << own.front();
  }
}

class GateTest : public testing::Test {
 protected:
  GateTest() {
    record_.run.purpose = schema::Purpose::baseline;
    options_.purpose = schema::Purpose::baseline;
  }

  // Makes an earlier run with launches of these steps the baseline.
  void set_baseline(const std::vector<double>& seconds) {
    schema::RunRecord old = tests::quick_run(std::ssize(seconds));
    std::vector<schema::Launch>& launches = old.launches[old.run.planned[0].id];
    for (const double step : seconds) launches.push_back(tests::good_launch({step, step}, std::ssize(launches)));
    old.run.planned[0].measure.max_time_seconds = 2;
    options_.baseline = scratch_.write("old.json", base::to_text(schema::to_json(report::assemble(old)))).string();
  }

  ExitCode run() {
    Gate gate(options_);
    gate.prepare(record_);
    Session session(open_journals(scratch_ / "a.json", true, {{&record_, tests::fake_worker()}}), view_.sink());
    return gate.run(session);
  }

  [[nodiscard]] std::ptrdiff_t rounds() const { return std::count(view_.told.begin(), view_.told.end(), "begin 1"); }

  Scratch scratch_;
  tests::ScopedVariable home_{"HOME", scratch_.root().c_str()};
  tests::ScopedVariable cache_{"XDG_CACHE_HOME", scratch_.root().c_str()};
  schema::RunRecord record_ = tests::quick_run(5);
  Options options_;
  tests::RecordingView view_;
};

// The launches of the baseline vary widely, so that a verdict needs more than the first ones.
class UnsteadyGate : public GateTest {
 protected:
  UnsteadyGate() { set_baseline({0.060, 0.064, 0.068, 0.063, 0.065}); }
};

TEST_F(UnsteadyGate, RunsTheLaunchesThatTheVerdictsNeed) {
  (void)run();
  EXPECT_EQ(rounds(), 2);
  EXPECT_GT(record_.run.planned[0].repeats, 5);
  EXPECT_TRUE(record_.run.gate->is_extended);
  EXPECT_EQ(std::ssize(record_.launches.begin()->second), record_.run.planned[0].repeats);
}

TEST_F(UnsteadyGate, LooksOnceInARunsLife) {
  options_.gate.is_extended = true;
  (void)run();
  EXPECT_EQ(rounds(), 1);
  EXPECT_EQ(record_.run.planned[0].repeats, 5);
}

TEST_F(UnsteadyGate, KeepsWithinTheBudget) {
  options_.gate.budget_seconds = 0;
  (void)run();
  EXPECT_EQ(record_.run.planned[0].repeats, 5);
  EXPECT_TRUE(record_.run.gate->is_extended);
}

TEST_F(UnsteadyGate, EndsWithWhatItIsToldToFailOn) {
  options_.gate.budget_seconds = 0;
  EXPECT_EQ(run(), ExitCode::ok);
  EXPECT_EQ(view_.told.back(), "undecided");
  std::filesystem::remove(scratch_ / "a.json");
  record_ = tests::quick_run(5);
  record_.run.purpose = schema::Purpose::baseline;
  options_.gate.fail_on_undecided = true;
  EXPECT_EQ(run(), ExitCode::regression);
}

class BaselineGateTest : public GateTest {
 protected:
  BaselineGateTest() {
    set_baseline({0.01, 0.01, 0.01, 0.01, 0.01});
    options_.gate.fail_on_regression = true;
  }

  std::string refusal(const schema::RunRecord& record) const {
    return usage_error_of([&] { const Gate gate(record, "new.json"); });
  }
};

TEST_F(BaselineGateTest, RecordsWhatItJudgesBy) {
  Gate(options_).prepare(record_);
  const schema::GateInfo gate = record_.run.gate.value();
  EXPECT_TRUE(gate.fail_on_regression);
  EXPECT_FALSE(gate.is_extended);
  EXPECT_EQ(gate.baseline->path, "~/old.json");
  EXPECT_EQ(gate.baseline->sha256, base::sha256_hex(tests::content(scratch_ / "old.json")));
  EXPECT_EQ(record_.run.planned[0].measure.max_time_seconds, 2) << "the baseline's launch times";
}

TEST_F(BaselineGateTest, RefusesABaselineOfOtherWorkOrAnotherMachine) {
  const auto refuses = [this](schema::RunRecord record) {
    Gate gate(options_);
    return tests::error_of(base::ErrorKind::not_comparable, [&] { gate.prepare(record); });
  };
  schema::RunRecord other = tests::quick_run(5);
  other.run.planned[0].id = "other";
  EXPECT_TRUE(contains(refuses(other), "has none of this run's cases. The nearest are "));
  schema::RunRecord elsewhere = tests::quick_run(5);
  elsewhere.host.name = "elsewhere";
  EXPECT_TRUE(contains(refuses(elsewhere), "is not from this machine and device (elsewhere)"));
  options_.gate.force = true;
  EXPECT_NO_THROW(Gate(options_).prepare(elsewhere));
}

TEST_F(BaselineGateTest, RefusesAJournal) {
  (void)supervise::Journal::create(scratch_ / "old.jsonl", record_);
  options_.baseline = (scratch_ / "old.jsonl").string();
  EXPECT_TRUE(contains(usage_error_of([&] { const Gate gate(options_); }), "--resume"));
}

TEST_F(BaselineGateTest, GoesOnOnlyWithTheBaselineOfBefore) {
  EXPECT_EQ(refusal(record_), "--resume: new.json: $.run.purpose is baseline, but $.run.gate names no baseline");
  Gate(options_).prepare(record_);
  EXPECT_NO_THROW(Gate(record_, "new.json"));
  const std::string path = (scratch_ / "old.json").string();
  const std::string before = tests::content(path);
  scratch_.write("old.json", before + "\n");
  const auto unlike = [this] {
    return tests::error_of(base::ErrorKind::not_comparable, [&] { const Gate gate(record_, "new.json"); });
  };
  EXPECT_EQ(unlike(), "--resume: the run's baseline " + path + " has changed since the run started (SHA-256)");
  std::filesystem::remove(path);
  EXPECT_EQ(unlike(), "--resume: the run's baseline " + path + " no longer exists");
}

TEST_F(BaselineGateTest, ComparesWithTheBaselineWhenTheRunHasEnded) {
  EXPECT_EQ(run(), base::ExitCode::regression) << "64 ms per step against 10 ms";
  EXPECT_EQ(view_.told.back(), "slower");
}

Options versus(const std::filesystem::path& worker) {
  Options options;
  options.purpose = schema::Purpose::versus;
  options.versus = worker.string();
  return options;
}

TEST(VersusGate, RecordsItsRulesAndNoBaseline) {
  schema::RunRecord record = tests::quick_run(2);
  Options options = versus("w");
  options.gate.alpha = 0.05;
  Gate(options).prepare(record);
  EXPECT_EQ(record.run.gate, options.gate);
  EXPECT_FALSE(record.run.gate->baseline);
}

TEST(VersusGate, FindsTheOtherWorker) {
  const OtherWorker other = find_other_worker(versus(tests::fake_worker())).value();
  EXPECT_EQ(other.program, tests::fake_worker());
  EXPECT_EQ(other.tool.value().compiler, "a fake worker's");
}

TEST(VersusGate, RefusesWhatIsNoWorker) {
  const tests::Scratch scratch;
  EXPECT_TRUE(contains(usage_error_of([&] { (void)find_other_worker(versus(scratch / "none")); }),
                       "--versus: " + (scratch / "none").string() + " is not a program"));
  EXPECT_TRUE(contains(usage_error_of([] { (void)find_other_worker(versus("/bin/true")); }),
                       "--versus: /bin/true is not an mpsbench-worker of this version"));
}

TEST(VersusGate, GivesTheOtherSideARunOfItsOwn) {
  const schema::RunRecord record = tests::quick_run(2);
  const schema::RunRecord unknown = second_run(record, std::nullopt);
  EXPECT_NE(unknown.run.id, record.run.id);
  EXPECT_EQ(unknown.run.planned.size(), 1U);
  EXPECT_FALSE(unknown.tool.git_commit || unknown.host.libtorch);
  schema::ToolInfo tool;
  tool.version = "9";
  EXPECT_EQ(second_run(record, tool).tool.version, "9");
}

}  // namespace
}  // namespace mpsbench::run
