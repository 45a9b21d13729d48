#include "run/search/thread_try.hpp"

#include "run/support.hpp"

#include <algorithm>

namespace mpsbench::run {
namespace {

using Counts = std::vector<std::int64_t>;

TEST(FewerThreads, LeaveTheBusyCoresFreeOrAreHalf) {
  EXPECT_EQ(fewer_threads(2, 0.6), Counts{1});
  EXPECT_EQ(fewer_threads(3, 1), (Counts{2, 1}));
  EXPECT_EQ(fewer_threads(8, 2.5), (Counts{5, 4}));
  EXPECT_EQ(fewer_threads(8, 7), (Counts{4, 1}));
  EXPECT_EQ(fewer_threads(8, 4), Counts{4});
  EXPECT_EQ(fewer_threads(8, 100), (Counts{4, 1}));
}

TEST(FewerThreads, WinIfTheyAreClearlyFaster) {
  const auto winner = [](double all, const std::vector<ThreadTime>& fewer) {
    const auto won = clear_winner({8, all}, fewer);
    return won ? won->threads : 0;
  };
  EXPECT_EQ(winner(1, {{7, 0.85}, {4, 0.81}}), 0);
  EXPECT_EQ(winner(1, {{7, 0.7}, {4, 0.75}}), 7);
  EXPECT_EQ(winner(1, {{7, 0.7}, {4, 0.1}}), 4);
  EXPECT_EQ(winner(1, {}), 0);
}

// Returns the number of launches that the try of RECORD starts. RULES are of the fake worker.
std::int64_t tries(schema::RunRecord& record, double busy_share, const std::string& rules = "") {
  const tests::Scratch scratch;
  const std::string script = R"({"counter": ")" + (scratch / "starts").string() + R"(", "rules": [)" + rules + "]}";
  const tests::ScopedVariable worker("MPSBENCH_WORKER", tests::fake_worker().c_str());
  const tests::ScopedVariable session("MPSBENCH_FAKE_SESSION", script.c_str());
  try_fewer_threads(record, 2, [busy_share](supervise::Interrupt&) { return busy_share; });
  if (!std::filesystem::exists(scratch / "starts")) return 0;
  const std::string starts = tests::content(scratch / "starts");
  return std::count(starts.begin(), starts.end(), '\n');
}

// A run of one case on a machine with two cores.
schema::RunRecord two_threads() {
  schema::RunRecord record = tests::quick_run(1);
  record.run.planned[0].spec.threads = 2;
  record.host.cpu.logical_cores = 2;
  record.host.ceilings.clear();
  return record;
}

TEST(TryFewerThreads, IsOnlyForBusyCores) {
  schema::RunRecord record = two_threads();
  EXPECT_EQ(tries(record, 0.51), 2);
  EXPECT_EQ(tries(record, 0.24), 0);
  EXPECT_FALSE(record.run.fewer_threads);
}

TEST(TryFewerThreads, TriesTheDefaultAgainBeforeOthersWin) {
  schema::RunRecord record = two_threads();
  EXPECT_EQ(tries(record, 1, R"({"threads": 1, "actions": [{"normal": {"step_seconds": 0.001}}]})"), 3);
  ASSERT_TRUE(record.run.fewer_threads);
  EXPECT_EQ(record.run.fewer_threads->id, record.run.planned[0].id);
  EXPECT_EQ(record.run.fewer_threads->usual_threads, 2);
  EXPECT_EQ(record.run.fewer_threads->threads, 1);
  EXPECT_NEAR(record.run.fewer_threads->step_seconds, 0.001, 0.0001);
}

TEST(TryFewerThreads, IsOnlyForShortStepsWithTheDefaultThreads) {
  schema::RunRecord record = two_threads();
  record.run.planned[0].spec.threads = 1;
  EXPECT_EQ(tries(record, 1), 0) << "the number of threads is given";
  record = two_threads();
  record.run.planned[0].spec.affinity = "0";
  EXPECT_EQ(tries(record, 1), 0) << "the cores are given";
  record = two_threads();
  record.run.planned[0].spec.device = "mps";
  EXPECT_EQ(tries(record, 1), 0) << "the CPU does not compute";
  record = two_threads();
  record.run.planned[0].weights_path = "w.safetensors";
  EXPECT_EQ(tries(record, 1), 0) << "each try would load the file";
  record = two_threads();
  record.launches[record.run.planned[0].id] = {tests::bad_launch(schema::Status::unsupported, "not here")};
  EXPECT_EQ(tries(record, 1), 0) << "it does not run";
  record = two_threads();
  record.host.ceilings = {{"cpu", 2, "", {{schema::Precision::fp32, 10'000.0}}, {}}};
  EXPECT_EQ(tries(record, 1), 0) << "a step takes longer than half a second";
}

TEST(ShareOfOthers, IsAShareOrUnknown) {
  supervise::Interrupt interrupt;
  const auto share = share_of_others(interrupt);
  if (!share) GTEST_SKIP() << "this system does not report it";
  EXPECT_GE(*share, 0);
  EXPECT_LE(*share, 1);
}

}  // namespace
}  // namespace mpsbench::run
