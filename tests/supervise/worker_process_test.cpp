#include "supervise/worker_process.hpp"

#include "supervise/support.hpp"
#include "supervise/worker_group.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>

namespace mpsbench::supervise {
namespace {

struct Counter : LineSink {
  std::size_t lines = 0;
  std::size_t longest = 0;
  bool too_long = false;
  bool on_line(const std::string& line) override {
    ++lines;
    longest = std::max(longest, line.size());
    return true;
  }
  void on_line_too_long() override { too_long = true; }
};

WorkerEnd run(const std::string& script, Counter& counter, const std::string& request = "") {
  tests::set_script(script);
  return run_worker({tests::fake_worker(), request}, {20, 0.1}, counter, nullptr);
}

// Starts a worker that neither reads its request nor watches its parent.
std::string script(const std::string& actions) {
  return R"({"read_request":false,"rules":[{"actions":[)" + actions + "]}]}";
}

TEST(RunWorker, HandsOverFourDescriptorsAndNoMore) {
  const tests::Scratch folder;
  const std::string file = (folder / "descriptors").string();
  Counter counter;
  const WorkerEnd end = run(script(R"({"write_file":{"text":"$descriptors","path":")" + file + R"("}})"), counter);
  EXPECT_EQ(end.wait_status, 0);
  EXPECT_EQ(tests::content(file), "0 1 2 3 ");
}

TEST(RunWorker, ReplacesAndAddsVariables) {
  const tests::Scratch folder;
  const std::string file = (folder / "said").string();
  const tests::ScopedVariable kept("MPSBENCH_TEST_KEPT", "ours");
  const tests::ScopedVariable replaced("MPSBENCH_TEST_REPLACED", "ours");
  const std::string words = "echo $MPSBENCH_TEST_KEPT $MPSBENCH_TEST_REPLACED $MPSBENCH_TEST_ADDED >" + file;
  Counter counter;
  const WorkerEnd end =
      run_worker({"/bin/sh", "", {"-c", words}, {"MPSBENCH_TEST_REPLACED=theirs", "MPSBENCH_TEST_ADDED=a=b"}},
                 {20, 0.1}, counter, nullptr);
  EXPECT_EQ(end.wait_status, 0);
  EXPECT_EQ(tests::content(file), "ours theirs a=b\n");
}

TEST(RunWorker, AGrandchildLeftBehindIsKilledWhenTheWorkerEnds) {
  const tests::Scratch folder;
  Counter counter;
  const WorkerEnd end = run(script(R"("grandchild",)" + tests::write_pid(folder / "pid")), counter);
  EXPECT_EQ(end.stop, Stop::none);
  EXPECT_EQ(end.wait_status, 0);
  EXPECT_TRUE(tests::group_ends(tests::await_pid(folder / "pid")));
}

TEST(RunWorker, AGrandchildThatLeftTheGroupCannotHoldItUp) {
  const tests::Scratch folder;
  const std::filesystem::path pid_file = folder / "grandchild";
  Counter counter;
  const WorkerEnd end =
      run(script(R"({"grandchild":{"pid_file":")" + pid_file.string() + R"("}},{"sleep":0.05})"), counter);
  EXPECT_EQ(end.wait_status, 0);
  EXPECT_EQ(::kill(tests::await_pid(pid_file), SIGKILL), 0);  // this process held all our pipes
}

TEST(RunWorker, ARequestThatNobodyReadsBlocksNobody) {
  Counter counter;
  const WorkerEnd end = run(script(R"({"line":"x"})"), counter, std::string(1U << 20U, 'r'));
  EXPECT_EQ(end.wait_status, 0);
  EXPECT_EQ(counter.lines, 1U);
}

TEST(RunWorker, ALongRequestArrivesWhole) {
  Counter counter;
  // The worker can only name the unknown key "word" if the whole request has arrived.
  const std::string request =
      R"({"request":"probe","protocol":7,"front_pid":0,"threads":1,"word":")" + std::string(1U << 20U, 'r') + "\"}";
  const WorkerEnd end = run("[]", counter, request);
  EXPECT_EQ(WEXITSTATUS(end.wait_status), 99);
  EXPECT_NE(end.stderr_tail.find("unknown key"), std::string::npos) << end.stderr_tail;
}

TEST(RunWorker, LinesArriveWholeHoweverLong) {
  Counter counter;
  const WorkerEnd end = run(script(R"({"flood":{"stream":"events","text":"0123456789abcdef","count":100000}},
      {"line":""},{"line":"short"},{"raw":"half"})"),
                            counter);
  EXPECT_EQ(counter.lines, 2U);
  EXPECT_EQ(counter.longest, 1'600'000U);
  EXPECT_TRUE(end.half_line);
  EXPECT_EQ(end.stop, Stop::none);
}

TEST(RunWorker, AnEndlessLineIsRefusedAndNotKept) {
  Counter counter;
  const std::string text(1U << 16U, 'x');
  const WorkerEnd end = run(script(R"({"flood":{"stream":"events","count":100000,"text":")" + text + "\"}}"), counter);
  EXPECT_TRUE(counter.too_long);
  EXPECT_EQ(end.stop, Stop::refused);
  EXPECT_FALSE(end.half_line);
  EXPECT_EQ(counter.lines, 0U);
}

TEST(RunWorker, AFloodOfOutputIsReadAndForgotten) {
  Counter counter;
  const std::string text(1U << 16U, 'x');
  const std::string megabytes = R"({"flood":{"stream":"stdout","count":1600,"text":")" + text + "\"}}";
  rusage before{};
  ::getrusage(RUSAGE_SELF, &before);
  const WorkerEnd end = run(script(megabytes), counter);
  rusage after{};
  ::getrusage(RUSAGE_SELF, &after);
  EXPECT_EQ(end.wait_status, 0);
  EXPECT_EQ(end.stderr_tail.size(), 8192U);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 20'000);  // KiB, although the worker wrote 100 MiB
}

TEST(RunWorker, SaysWhyAProgramCannotBeStarted) {
  Counter counter;
  const tests::Scratch folder;
  EXPECT_EQ(run_worker({"/nowhere", ""}, {1, 1}, counter, nullptr).spawn_error, "No such file or directory");
  EXPECT_EQ(run_worker({folder.root(), ""}, {1, 1}, counter, nullptr).spawn_error, "Permission denied");
}

}  // namespace
}  // namespace mpsbench::supervise
