#include "supervise/worker_group.hpp"

#include "base/clock.hpp"
#include "supervise/support.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <functional>
#include <string>
#include <utility>

namespace mpsbench::supervise {
namespace {

struct LineEar : LineSink {
  std::vector<std::string> lines;
  std::size_t ticks = 0;
  bool content = true;
  std::function<bool(const std::string&)> answer = [](const std::string&) { return true; };
  bool on_line(const std::string& line) override {
    lines.push_back(line);
    return answer(line);
  }
  void on_tick() override { ++ticks; }
  [[nodiscard]] bool reports_success() const override { return content; }
};

std::vector<Stop> stops_of(const std::vector<WorkerEnd>& ends) {
  std::vector<Stop> stops;
  for (const WorkerEnd& end : ends) stops.push_back(end.stop);
  return stops;
}
using Stops = std::vector<Stop>;

// Starts members that write their pid first, and do not read their request or watch their parent.
class WorkerGroupTest : public testing::Test {
 protected:
  static constexpr double kSoon = 10;  // in seconds; shorter than every limit that must not expire

  void add(const std::string& actions, LineEar& ear) {
    pid_files_.push_back(folder_ / std::to_string(pid_files_.size()));
    const std::string script =
        R"({"read_request":false,"rules":[{"actions":[)" + tests::write_pid(pid_files_.back()) + ',' + actions + "]}]}";
    members_.emplace_back(WorkerCommand{tests::fake_worker(), "", {}, {"MPSBENCH_FAKE_SESSION=" + script}}, &ear);
  }

  std::vector<WorkerEnd> run(WorkerLimits limits = {60, 60}, Interrupt* interrupt = nullptr) {
    WorkerGroup group(limits, interrupt);
    for (auto& [command, ear] : members_) group.add(command, *ear);
    const double start = base::steady_seconds();
    std::vector<WorkerEnd> ends = group.run();
    EXPECT_LT(base::steady_seconds() - start, kSoon);
    return ends;
  }

  pid_t pid(std::size_t member) { return tests::await_pid(pid_files_[member]); }

  // Expects that none of the members that wrote their pid still runs.
  void expect_all_gone() {
    for (std::size_t i = 0; i < pid_files_.size(); ++i) {
      EXPECT_TRUE(!std::filesystem::exists(pid_files_[i]) || tests::group_ends(pid(i))) << i;
    }
  }

  LineEar zero_;
  LineEar one_;
  LineEar two_;

 private:
  tests::Scratch folder_;
  std::vector<std::filesystem::path> pid_files_;
  std::vector<std::pair<WorkerCommand, LineEar*>> members_;
};

TEST_F(WorkerGroupTest, EachIsHeardByItsOwnSinkUntilAllHaveEnded) {
  add(R"({"line":"a"},{"sleep":0.2},{"flood":{"stream":"stderr","text":"words of zero","count":1}},{"line":"later"})",
      zero_);
  add(R"({"line":"b"},{"flood":{"stream":"stdout","text":"words of one","count":1}})", one_);
  add(R"({"line":"c"},{"raw":""})", two_);
  const std::vector<WorkerEnd> ends = run();
  EXPECT_EQ(stops_of(ends), Stops(3, Stop::none));
  for (const WorkerEnd& end : ends) {
    EXPECT_EQ(end.wait_status, 0);
    EXPECT_EQ(end.spawn_error, "");
  }
  EXPECT_EQ(zero_.lines, (std::vector<std::string>{"a", "later"}));
  EXPECT_EQ(one_.lines, std::vector<std::string>{"b"});
  EXPECT_EQ(two_.lines, std::vector<std::string>{"c"});
  EXPECT_EQ(ends[0].stderr_tail, "words of zero");
  EXPECT_EQ(ends[1].stderr_tail, "words of one");
  EXPECT_GT(ends[0].over_seconds, ends[1].over_seconds);
}

TEST_F(WorkerGroupTest, TicksAllThatRun) {
  add(R"({"line":"x"},{"line":"y"},{"sleep":1.1},{"line":"z"},{"sleep":0.2})", zero_);
  add(R"({"sleep":1.3})", one_);
  add(R"({"line":"x"})", two_);
  const double start = base::steady_seconds();
  (void)run();
  EXPECT_GE(zero_.ticks, 1U);
  EXPECT_LE(static_cast<double>(zero_.ticks), base::steady_seconds() - start) << "however often it speaks";
  EXPECT_EQ(one_.ticks, zero_.ticks);
  EXPECT_EQ(two_.ticks, 0U);
}

TEST_F(WorkerGroupTest, ACrashStopsTheOthers) {
  add(R"("hang")", zero_);
  add(R"({"signal":"SEGV"})", one_);
  add(R"("grandchild","hang")", two_);
  const std::vector<WorkerEnd> ends = run({60, 2});
  EXPECT_EQ(stops_of(ends), (Stops{Stop::peer, Stop::none, Stop::peer}));
  EXPECT_EQ(WTERMSIG(ends[1].wait_status), SIGSEGV);
  EXPECT_LT(ends[1].over_seconds, ends[0].over_seconds);
  expect_all_gone();
}

TEST_F(WorkerGroupTest, OneThatIgnoresSigtermIsKilledAfterTheGrace) {
  zero_.answer = [this](const std::string& /*line*/) { return ::kill(pid(1), SIGKILL) == 0; };
  add(R"("ignore_term","grandchild",{"line":"ready"},"hang")", zero_);
  add(R"("hang")", one_);
  const std::vector<WorkerEnd> ends = run({60, 0.1});
  EXPECT_EQ(stops_of(ends), (Stops{Stop::peer, Stop::none}));
  EXPECT_EQ(WTERMSIG(ends[0].wait_status), SIGKILL);
  expect_all_gone();
}

class BadEnd : public WorkerGroupTest, public testing::WithParamInterface<const char*> {};

TEST_P(BadEnd, StopsTheOthers) {
  zero_.content = std::string(GetParam()).find("all") == std::string::npos;
  add(GetParam(), zero_);
  add(R"("hang")", one_);
  EXPECT_EQ(stops_of(run()), (Stops{Stop::none, Stop::peer}));
  expect_all_gone();
}

INSTANTIATE_TEST_SUITE_P(Ends, BadEnd,
                         testing::Values(R"({"exit":3})", R"({"raw":"half"})", R"({"line":"that is all"})"));

TEST_F(WorkerGroupTest, NonsenseOfOneStopsAll) {
  one_.answer = [](const std::string& /*line*/) { return false; };
  add(R"("hang")", zero_);
  add(R"({"line":"nonsense"},"hang")", one_);
  const std::vector<WorkerEnd> ends = run();
  EXPECT_EQ(stops_of(ends), (Stops{Stop::peer, Stop::refused}));
  EXPECT_LT(ends[1].over_seconds, ends[0].over_seconds);
  expect_all_gone();
}

TEST_F(WorkerGroupTest, TheTimeoutStopsAllThatStillRun) {
  add(R"("hang")", zero_);
  add(R"({"line":"x"})", one_);
  add(R"("hang")", two_);
  EXPECT_EQ(stops_of(run({2, 60})), (Stops{Stop::timeout, Stop::none, Stop::timeout}));
  expect_all_gone();
}

TEST_F(WorkerGroupTest, AnInterruptStopsAll) {
  Interrupt interrupt;
  one_.answer = [](const std::string& /*line*/) { return ::raise(SIGINT) == 0; };
  add(R"("hang")", zero_);
  add(R"({"line":"x"},"hang")", one_);
  EXPECT_EQ(stops_of(run({60, 60}, &interrupt)), Stops(2, Stop::interrupted));
  expect_all_gone();
}

TEST_F(WorkerGroupTest, ASecondInterruptKillsAllAtOnce) {
  Interrupt interrupt;
  // Raises the signals only once both ignore SIGTERM.
  const auto answer = [this](const std::string& /*line*/) {
    if (zero_.lines.size() + one_.lines.size() < 2) return true;
    return ::raise(SIGINT) == 0 && ::raise(SIGINT) == 0;
  };
  zero_.answer = answer;
  one_.answer = answer;
  add(R"("ignore_term",{"line":"x"},"hang")", zero_);
  add(R"("ignore_term",{"line":"x"},"hang")", one_);
  for (const WorkerEnd& end : run({60, 60}, &interrupt)) {
    EXPECT_EQ(end.stop, Stop::interrupted);
    EXPECT_EQ(WTERMSIG(end.wait_status), SIGKILL);
  }
  expect_all_gone();
}

TEST_F(WorkerGroupTest, OneThatCannotBeStartedStopsTheOthers) {
  WorkerGroup group({60, 60}, nullptr);
  group.add({"/bin/sh", "", {"-c", "sleep 50"}}, zero_);
  group.add({"/nowhere", ""}, one_);
  group.add({"/bin/sh", "", {"-c", "sleep 50"}}, two_);
  const double start = base::steady_seconds();
  const std::vector<WorkerEnd> ends = group.run();
  EXPECT_LT(base::steady_seconds() - start, kSoon);
  EXPECT_EQ(stops_of(ends), (Stops{Stop::peer, Stop::none, Stop::peer}));
  EXPECT_TRUE(WIFSIGNALED(ends[0].wait_status));
  EXPECT_EQ(ends[1].spawn_error, "No such file or directory");
  EXPECT_GT(ends[1].over_seconds, start);
}

// Runs a worker with ACTIONS and returns its end and whether it was stopped.
std::pair<Stop, bool> run_alone(const std::string& actions, double timeout_seconds) {
  LineEar ear;
  WorkerGroup group({timeout_seconds, 60}, nullptr);
  const std::string script = R"({"read_request":false,"rules":[{"actions":[)" + actions + "]}]}";
  group.add({tests::fake_worker(), "", {}, {"MPSBENCH_FAKE_SESSION=" + script}}, ear);
  const Stop stop = group.run().front().stop;
  return {stop, group.was_stopped()};
}

TEST(WorkerGroupStops, ATimeInWhichAWorkerIsStoppedCountsAgainstNoLimit) {
  EXPECT_EQ(run_alone(R"({"pause":2.5})", 2), std::pair(Stop::none, true));
  EXPECT_EQ(run_alone(R"({"pause":0.5},"hang")", 1), std::pair(Stop::timeout, true));
}

TEST(WorkerGroupStops, EvenAShortOneIsNoticed) {
  EXPECT_EQ(run_alone(R"({"sleep":0.05},{"pause":0.02},{"sleep":0.05})", 60), std::pair(Stop::none, true));
  EXPECT_EQ(run_alone(R"({"sleep":0.05})", 60), std::pair(Stop::none, false));
}

}  // namespace
}  // namespace mpsbench::supervise
