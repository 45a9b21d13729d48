#include "run/search/thread_try.hpp"

#include "base/system_files.hpp"
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

// Returns the number of launches that the try of RECORD starts while other programs take BUSY_CORES. RULES are of the
// fake worker.
std::int64_t tries(schema::RunRecord& record, double busy_cores, const std::string& rules = "") {
  const std::size_t allowed = base::allowed_cpus().size();
  const double cores = allowed == 0 ? static_cast<double>(record.host.cpu.logical_cores) : static_cast<double>(allowed);
  const double busy_share = busy_cores / cores;
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
  EXPECT_EQ(tries(record, 1.02), 2);
  EXPECT_EQ(tries(record, 0.48), 0);
  EXPECT_FALSE(record.run.fewer_threads);
}

TEST(TryFewerThreads, TriesTheDefaultAgainBeforeOthersWin) {
  schema::RunRecord record = two_threads();
  EXPECT_EQ(tries(record, 2, R"({"threads": 1, "actions": [{"normal": {"step_seconds": 0.001}}]})"), 3);
  ASSERT_TRUE(record.run.fewer_threads);
  EXPECT_EQ(record.run.fewer_threads->id, record.run.planned[0].id);
  EXPECT_EQ(record.run.fewer_threads->usual_threads, 2);
  EXPECT_EQ(record.run.fewer_threads->threads, 1);
  EXPECT_NEAR(record.run.fewer_threads->step_seconds, 0.001, 0.0001);
}

TEST(TryFewerThreads, IsOnlyForShortStepsWithTheDefaultThreads) {
  using Change = std::function<void(schema::RunRecord&, schema::PlannedCase&)>;
  for (const auto& [why, change] : std::vector<std::pair<const char*, Change>>{
           {"the number of threads is given", [](auto&, auto& planned) { planned.spec.threads = 1; }},
           {"the cores are given", [](auto&, auto& planned) { planned.spec.affinity = "0"; }},
           {"the CPU does not compute", [](auto&, auto& planned) { planned.spec.device = "mps"; }},
           {"each try would load the file", [](auto&, auto& planned) { planned.weights_path = "w.safetensors"; }},
           {"it does not run",
            [](auto& record, auto& planned) {
              record.launches[planned.id] = {tests::bad_launch(schema::Status::unsupported, "not here")};
            }},
           {"a step takes longer than half a second", [](auto& record, auto&) {
              record.host.ceilings = {{"cpu", 2, "", {{schema::Precision::fp32, 10'000.0}}, {}}};
            }}}) {
    schema::RunRecord record = two_threads();
    change(record, record.run.planned[0]);
    EXPECT_EQ(tries(record, 2), 0) << why;
  }
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
