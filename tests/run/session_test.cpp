#include "run/session/session.hpp"

#include "run/support.hpp"

namespace mpsbench::run {
namespace {

using base::ExitCode;
using supervise::RunEnd;
using tests::Scratch;

class SessionTest : public testing::Test {
 protected:
  SessionTest() : record_(tests::quick_run(2)) {}

  std::vector<schema::Launch>& launches() { return record_.launches[record_.run.planned[0].id]; }

  Session open(std::optional<TimeEnd> end = {}) {
    return {open_journals(scratch_ / "a.json", true, {{&record_, tests::fake_worker()}}), view_.sink(), false, end};
  }

  Scratch scratch_;
  tests::ScopedVariable cache_{"XDG_CACHE_HOME", scratch_.root().c_str()};
  schema::RunRecord record_;
  tests::RecordingView view_;
};

TEST_F(SessionTest, RunsWhatIsMissingAndLeavesTheReport) {
  Session session = open();
  EXPECT_EQ(session.run_launches(), RunEnd::complete);
  EXPECT_TRUE(std::filesystem::exists(scratch_ / "a.jsonl"));
  const SessionOutcome outcome = session.finish();
  EXPECT_EQ(outcome.code, ExitCode::ok);
  EXPECT_EQ(outcome.reports.at(0).cases.at(0).launches.size(), 2U);
  EXPECT_EQ(view_.told, (std::vector<std::string>{"begin 1", "end", "report complete", "written a.json"}));
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "a.jsonl"));
  EXPECT_TRUE(std::filesystem::exists(scratch_ / "a.json"));
}

TEST_F(SessionTest, SaysThatARunWhoseWorkerCrashedCanGoOn) {
  launches() = {tests::good_launch({0.01}, 0), tests::bad_launch(schema::Status::crashed, "x", 1)};
  Session session = open();
  EXPECT_EQ(session.run_launches(), RunEnd::complete);
  EXPECT_EQ(session.finish().code, ExitCode::incomplete);
  EXPECT_EQ(view_.told.back(), "written a.json, can go on");
}

TEST_F(SessionTest, RunsLaunchesThatWereAddedAndNotesThemFirst) {
  Session session = open();
  EXPECT_EQ(session.run_launches(), RunEnd::complete);
  record_.run.planned[0].repeats = 4;
  EXPECT_EQ(session.run_added_launches(), RunEnd::complete);
  EXPECT_EQ(supervise::Journal::load(scratch_ / "a.jsonl").run.planned[0].repeats, 4);
  EXPECT_EQ(session.finish().reports.at(0).cases.at(0).launches.size(), 4U);
}

TEST_F(SessionTest, TakesSpareLaunchesThatTheLimitLeavesOutOfThePlan) {
  launches() = {tests::good_launch({0.01}, 0), tests::good_launch({0.01}, 1)};
  record_.run.planned[0].repeats = 20;
  Session session = open(time_end(0));
  EXPECT_LE(session.seconds_left(), 0);
  EXPECT_EQ(session.run_spare_launches(), RunEnd::complete);
  const SessionOutcome outcome = session.finish();
  EXPECT_EQ(outcome.code, ExitCode::ok);
  const schema::Report& report = outcome.reports.at(0);
  EXPECT_EQ(report.run.planned.at(0).repeats, 2);
  EXPECT_EQ(report.cases.at(0).launches.size(), 2U);
  EXPECT_EQ(view_.told, (std::vector<std::string>{"begin 1", "end", "report complete", "written a.json"}));
}

TEST_F(SessionTest, StopsWhereTheLargerPlanCannotBeNoted) {
  Session session = open();
  EXPECT_EQ(session.run_launches(), RunEnd::complete);
  std::filesystem::remove(scratch_ / "a.jsonl");
  std::filesystem::create_directory(scratch_ / "a.jsonl");
  scratch_.write("a.jsonl/in the way", "");
  record_.run.planned[0].repeats = 4;
  EXPECT_EQ(session.run_added_launches(), RunEnd::journal_failed);
  EXPECT_EQ(record_.launches.begin()->second.size(), 2U);
  EXPECT_EQ(session.finish().code, ExitCode::incomplete);
}

TEST_F(SessionTest, LeavesAReportASideAndShowsTheFirst) {
  schema::RunRecord other = record_;
  other.run.id = "other";
  Session session(
      open_journals(scratch_ / "a.json", true, {{&record_, tests::fake_worker()}, {&other, tests::fake_worker()}}),
      view_.sink());
  EXPECT_EQ(session.records(), (std::vector<schema::RunRecord*>{&record_, &other}));
  session.run_launches();
  EXPECT_EQ(session.finish().reports.size(), 2U);
  EXPECT_EQ(view_.told,
            (std::vector<std::string>{"begin 2", "end", "report complete", "written a.json", "written a-versus.json"}));
}

// Some launches of a run of three stop for a moment.
class DisturbedSession : public SessionTest {
 protected:
  SessionOutcome run(const std::vector<int>& stopped, std::optional<TimeEnd> end = {}) {
    std::string rules;
    for (const int launch : stopped)
      rules += (rules.empty() ? "" : ",") + std::string(R"({"launch":)") + std::to_string(launch) +
               R"(,"actions":[{"pause":0.1},"normal"]})";
    const std::string script = R"({"counter":")" + (scratch_ / "starts").string() + R"(","rules":[)" + rules + "]}";
    const tests::ScopedVariable played("MPSBENCH_FAKE_SESSION", script.c_str());
    record_.run.planned[0].repeats = 3;
    Session session = open(end);
    EXPECT_EQ(session.run_launches(), RunEnd::complete);
    return session.finish();
  }
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> plan() const {
    return {record_.run.planned[0].repeats, record_.run.planned[0].repeated};
  }
};

TEST_F(DisturbedSession, RepeatsEachDisturbedLaunchUpToTwiceThePlannedOnes) {
  record_.run.repeats_disturbed = true;
  const SessionOutcome outcome = run({2, 4});
  EXPECT_EQ(outcome.code, ExitCode::ok);
  EXPECT_EQ(outcome.reports.at(0).run.status, schema::RunStatus::complete);
  EXPECT_EQ(outcome.reports.at(0).cases.at(0).launches.size(), 5U);
  EXPECT_EQ(plan(), std::pair(std::int64_t{5}, std::int64_t{2}));
}

TEST_F(DisturbedSession, HasAtMostTwiceThePlannedLaunches) {
  record_.run.repeats_disturbed = true;
  EXPECT_EQ(run({1, 2, 3, 4, 5, 6, 7}).code, ExitCode::ok);
  EXPECT_EQ(plan(), std::pair(std::int64_t{6}, std::int64_t{3}));
}

TEST_F(DisturbedSession, KeepsAGivenNumber) {
  EXPECT_EQ(run({2}).reports.at(0).cases.at(0).launches.size(), 3U);
  EXPECT_EQ(plan(), std::pair(std::int64_t{3}, std::int64_t{0}));
}

TEST_F(SessionTest, RepeatsNothingForWhichThereIsNoTime) {
  record_.run.repeats_disturbed = true;
  launches() = {tests::good_launch({0.01}, 0), tests::good_launch({0.01}, 1)};  // of 4 s each
  launches()[1].disturbed = schema::Disturbance::stopped;
  Session session = open(time_end(3));
  EXPECT_EQ(session.run_launches(), RunEnd::complete);
  EXPECT_EQ(session.finish().code, ExitCode::ok);
  EXPECT_EQ(record_.run.planned[0].repeats, 2);
}

TEST_F(SessionTest, SettlesForFewerLaunchesAfterTheLimitIfAllCasesHaveSome) {
  launches() = {tests::good_launch({0.01}, 0), tests::good_launch({0.01}, 1)};
  record_.run.planned[0].repeats = 4;
  Session session = open(time_end(0));
  EXPECT_EQ(session.run_first_launches(), RunEnd::time_limit);
  session.settle_for_launches(3);
  EXPECT_EQ(record_.run.planned[0].repeats, 4);
  session.settle_for_launches(2);
  EXPECT_EQ(record_.run.planned[0].repeats, 2);
  const SessionOutcome outcome = session.finish();
  EXPECT_EQ(outcome.code, ExitCode::ok);
  EXPECT_EQ(outcome.reports.at(0).run.status, schema::RunStatus::complete);
}

TEST(JournaledRuns, OpenAllJournalsOrNone) {
  const Scratch scratch;
  schema::RunRecord one = tests::quick_run(1);
  scratch.write("a-versus.jsonl", "precious");
  (void)tests::usage_error_of([&] { (void)open_journals(scratch / "a.json", true, {{&one, "w"}, {&one, "v"}}); });
  EXPECT_FALSE(std::filesystem::exists(scratch / "a.jsonl"));
  EXPECT_EQ(tests::content(scratch / "a-versus.jsonl"), "precious");
}

TEST(JournaledRuns, TakeAFreePlaceWhenNobodyNamedOne) {
  const Scratch scratch;
  schema::RunRecord one = tests::quick_run(1);
  scratch.write("a.json", "a report");
  scratch.write("a-2.jsonl", "a journal");
  EXPECT_EQ(open_journals(scratch / "a.json", false, {{&one, "w"}})[0].report, scratch / "a-3.json");
  EXPECT_FALSE(std::filesystem::exists(scratch / "a.jsonl")) << "the first journal was removed again";
}

}  // namespace
}  // namespace mpsbench::run
