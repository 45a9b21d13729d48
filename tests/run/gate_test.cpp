#include "run/gate/gate.hpp"

#include "report/compare/compared_report.hpp"
#include "report/metrics/assemble.hpp"
#include "run/journaled_runs.hpp"
#include "run/support.hpp"
#include "support/errors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace mpsbench::run {

namespace {

using base::ExitCode;
using report::Verdict;

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
  EXPECT_EQ(versus_command({"/opt/bin/mpsbench", "run", "quick", "--baseline", "old.json", "--fail-on-regression"}),
            "mpsbench run quick --fail-on-regression --versus OLD/mpsbench-worker");
}

TEST(VersusCommand, NamesFilesSoThatAShellFindsThem) {
  const char* home = std::getenv("HOME");
  if (home == nullptr) GTEST_SKIP() << "no home folder";
  EXPECT_EQ(versus_command({"mpsbench", "run", "-m", "~/my net.json"}),
            "mpsbench run -m '" + std::string(home) + "/my net.json' --versus OLD/mpsbench-worker");
}

TEST(VersusCommand, LeavesOutWhatBelongsToTheRunAlone) {
  for (const std::vector<std::string>& own : {std::vector<std::string>{"-r", "5"},
                                              {"-r5"},
                                              {"--repeats=5"},
                                              {"--repeats", "5"},
                                              {"--export-json", "x.json"},
                                              {"--export-json=x.json"},
                                              {"--baseline=old.json"}}) {
    std::vector<std::string> argv{"mpsbench", "run"};
    argv.insert(argv.end(), own.begin(), own.end());
    argv.insert(argv.end(), {"-m", "my net.json"});
    EXPECT_EQ(versus_command(argv), "mpsbench run -m 'my net.json' --versus OLD/mpsbench-worker") << own.front();
  }
}

TEST(VersusCommand, KeepsOptionsThatBeginAlike) {
  EXPECT_EQ(versus_command({"mpsbench", "run", "--rows", "5", "--ranks=2"}),
            "mpsbench run --rows 5 --ranks=2 --versus OLD/mpsbench-worker");
}

// A gate whose other side has launches that vary widely, so that a verdict needs more than the first ones.
class UnsteadyGate final : public Gate {
 public:
  explicit UnsteadyGate(const schema::GateInfo& info) : Gate(info) {}
  void prepare(schema::RunRecord& record) override { record.run.gate = info_; }

 private:
  [[nodiscard]] report::ComparedReport before(const schema::Report& other) const override {
    schema::Report report = other;
    schema::CaseResult& result = report.cases.front();
    result.launches.clear();
    std::int64_t index = 0;
    for (const double seconds : {0.060, 0.064, 0.068, 0.063, 0.065})
      result.launches.push_back(tests::good_launch({seconds}, index++));
    return report::compared_of(report, "before");
  }
};

class GateTest : public testing::Test {
 protected:
  GateTest() : record_(tests::quick_run(5)) {
    record_.run.purpose = schema::Purpose::baseline;
    info_.baseline = schema::BaselineFile{"old.json", std::string(64, 'a')};
  }

  ExitCode run() {
    UnsteadyGate gate(info_);
    gate.prepare(record_);
    Session session(open_journals(scratch_ / "a.json", true, {{&record_, tests::fake_worker()}}), false);
    return gate.run(session, view_);
  }

  [[nodiscard]] std::ptrdiff_t rounds() const { return std::count(view_.told.begin(), view_.told.end(), "begin 1"); }

  tests::Scratch scratch_;
  tests::ScopedVariable cache_{"XDG_CACHE_HOME", scratch_.root().c_str()};
  schema::RunRecord record_;
  schema::GateInfo info_;
  tests::RecordingView view_;
};

TEST_F(GateTest, RunsTheLaunchesThatTheVerdictsNeed) {
  (void)run();
  EXPECT_EQ(rounds(), 2);
  EXPECT_GT(record_.run.planned[0].repeats, 5);
  EXPECT_TRUE(record_.run.gate->is_extended);
  EXPECT_EQ(std::ssize(record_.launches.begin()->second), record_.run.planned[0].repeats);
}

TEST_F(GateTest, LooksOnceInARunsLife) {
  info_.is_extended = true;
  (void)run();
  EXPECT_EQ(rounds(), 1);
  EXPECT_EQ(record_.run.planned[0].repeats, 5);
}

TEST_F(GateTest, KeepsWithinTheBudget) {
  info_.budget_seconds = 0;
  (void)run();
  EXPECT_EQ(record_.run.planned[0].repeats, 5);
  EXPECT_TRUE(record_.run.gate->is_extended);
}

TEST_F(GateTest, EndsWithWhatItIsToldToFailOn) {
  info_.budget_seconds = 0;
  EXPECT_EQ(run(), ExitCode::ok);
  EXPECT_EQ(view_.told.back(), "undecided");
  std::filesystem::remove(scratch_ / "a.json");
  record_ = tests::quick_run(5);
  record_.run.purpose = schema::Purpose::baseline;
  info_.fail_on_undecided = true;
  EXPECT_EQ(run(), ExitCode::regression);
}

}  // namespace

}  // namespace mpsbench::run
