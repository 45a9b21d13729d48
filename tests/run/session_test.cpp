#include "run/session.hpp"

#include "run/journaled_runs.hpp"
#include "run/places.hpp"
#include "run/support.hpp"

namespace mpsbench::run {
namespace {

using base::ExitCode;
using supervise::RunEnd;
using tests::Scratch;

class SessionTest : public testing::Test {
 protected:
  SessionTest() : record_(tests::quick_run(2)) {}

  Session open(std::optional<TimeEnd> end = {}) {
    return {open_journals(scratch_ / "a.json", true, {{&record_, tests::fake_worker()}}), false, end};
  }

  Scratch scratch_;
  tests::ScopedVariable cache_{"XDG_CACHE_HOME", scratch_.root().c_str()};
  schema::RunRecord record_;
  tests::RecordingView view_;
};

TEST_F(SessionTest, RunsWhatIsMissingAndLeavesTheReport) {
  Session session = open();
  EXPECT_EQ(session.run_launches(view_), RunEnd::complete);
  EXPECT_TRUE(std::filesystem::exists(scratch_ / "a.jsonl"));
  const SessionOutcome outcome = session.finish(view_);
  EXPECT_EQ(outcome.code, ExitCode::ok);
  EXPECT_EQ(outcome.reports.at(0).cases.at(0).launches.size(), 2U);
  EXPECT_EQ(view_.told, (std::vector<std::string>{"begin 1", "end", "report complete", "written a.json"}));
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "a.jsonl"));
  EXPECT_TRUE(std::filesystem::exists(scratch_ / "a.json"));
}

TEST_F(SessionTest, SaysThatARunWhoseWorkerCrashedCanGoOn) {
  record_.launches[record_.run.planned[0].id] = {tests::good_launch({0.01}, 0),
                                                 tests::bad_launch(schema::Status::crashed, "x", 1)};
  Session session = open();
  EXPECT_EQ(session.run_launches(view_), RunEnd::complete);
  EXPECT_EQ(session.finish(view_).code, ExitCode::incomplete);
  EXPECT_EQ(view_.told.back(), "written a.json, can go on");
}

TEST_F(SessionTest, RunsLaunchesThatWereAddedAndNotesThemFirst) {
  Session session = open();
  EXPECT_EQ(session.run_launches(view_), RunEnd::complete);
  record_.run.planned[0].repeats = 4;
  EXPECT_EQ(session.run_added_launches(view_), RunEnd::complete);
  EXPECT_EQ(supervise::Journal::load(scratch_ / "a.jsonl").run.planned[0].repeats, 4);
  EXPECT_EQ(session.finish(view_).reports.at(0).cases.at(0).launches.size(), 4U);
}

TEST_F(SessionTest, TakesSpareLaunchesThatTheLimitLeavesOutOfThePlan) {
  record_.launches[record_.run.planned[0].id] = {tests::good_launch({0.01}, 0),
                                                 tests::good_launch({0.01}, 1)};
  record_.run.planned[0].repeats = 20;
  Session session = open(time_end(0));
  EXPECT_LE(session.seconds_left(), 0);
  EXPECT_EQ(session.run_spare_launches(view_), RunEnd::complete);
  const SessionOutcome outcome = session.finish(view_);
  EXPECT_EQ(outcome.code, ExitCode::ok);
  const schema::Report& report = outcome.reports.at(0);
  EXPECT_EQ(report.run.planned.at(0).repeats, 2);
  EXPECT_EQ(report.cases.at(0).launches.size(), 2U);
  EXPECT_EQ(view_.told, (std::vector<std::string>{"begin 1", "end", "report complete", "written a.json"}));
}

TEST_F(SessionTest, StopsWhereTheLargerPlanCannotBeNoted) {
  Session session = open();
  EXPECT_EQ(session.run_launches(view_), RunEnd::complete);
  std::filesystem::remove(scratch_ / "a.jsonl");
  std::filesystem::create_directory(scratch_ / "a.jsonl");
  scratch_.write("a.jsonl/in the way", "");
  record_.run.planned[0].repeats = 4;
  EXPECT_EQ(session.run_added_launches(view_), RunEnd::journal_failed);
  EXPECT_EQ(record_.launches.begin()->second.size(), 2U);
  EXPECT_EQ(session.finish(view_).code, ExitCode::incomplete);
}

TEST_F(SessionTest, LeavesAReportASideAndShowsTheFirst) {
  schema::RunRecord other = record_;
  other.run.id = "other";
  Session session(open_journals(scratch_ / "a.json", true,
                                {{&record_, tests::fake_worker()}, {&other, tests::fake_worker()}}),
                  false);
  EXPECT_EQ(session.records(), (std::vector<schema::RunRecord*>{&record_, &other}));
  session.run_launches(view_);
  EXPECT_EQ(session.finish(view_).reports.size(), 2U);
  EXPECT_EQ(view_.told, (std::vector<std::string>{"begin 2", "end", "report complete", "written a.json",
                                                  "written a-versus.json"}));
}

}  // namespace
}  // namespace mpsbench::run
