#include "supervise/run_launches.hpp"

#include "base/clock.hpp"
#include "base/error.hpp"
#include "supervise/run_order.hpp"
#include "supervise/support.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <string>

namespace mpsbench::supervise {
namespace {

using schema::Status;
using tests::planned_case;

struct RunRecorder {
  std::vector<RunPosition> starts;
  std::vector<RunPosition> ends;
  std::function<void()> at_start = [] {};
  std::function<void()> at_end = [] {};

  LaunchSink sink() {
    return [this](const LaunchEvent& event) {
      if (const auto* started = std::get_if<LaunchStarted>(&event)) {
        starts.push_back(started->position);
        at_start();
      } else if (const auto* ended = std::get_if<LaunchEnded>(&event)) {
        ends.push_back(ended->position);
        at_end();
      }
    };
  }
};

schema::LaunchRequest request_maker(const schema::RunRecord& /*record*/, const schema::PlannedCase& planned) {
  return tests::request_for(planned);
}

JournaledRun journaled(schema::RunRecord& record, const std::filesystem::path& path) {
  Journal journal = std::filesystem::exists(path) ? Journal::replace(path, record) : Journal::create(path, record);
  return {{&record, tests::fake_worker()}, std::move(journal), {}};
}

class RunLaunches : public testing::Test {
 protected:
  RunEnd run(const RequestMaker& make_request = request_maker) {
    std::vector<JournaledRun> runs;
    runs.push_back(journaled(record_, path_));
    return run_launches(runs, make_request, recorder_.sink(), interrupt_);
  }

  // This run and OTHER.
  std::vector<JournaledRun> both(schema::RunRecord& other) {
    std::vector<JournaledRun> runs;
    runs.push_back(journaled(record_, path_));
    runs.push_back(journaled(other, folder_ / "other.jsonl"));
    return runs;
  }

  // Sets rules for the workers, whose starts are counted.
  void set_rules(const std::string& rules) const {
    tests::set_script(R"({"counter":")" + (folder_ / "starts").string() + R"(","rules":[)" + rules + "]}");
  }

  // Returns the status of each launch of the case with this batch size.
  std::vector<Status> statuses(std::int64_t batch_size) {
    std::vector<Status> statuses;
    for (const auto& launch : record_.launches[planned_case("net", batch_size).id]) statuses.push_back(launch.status);
    return statuses;
  }

  tests::Scratch folder_;
  std::filesystem::path path_ = folder_ / "run.jsonl";
  schema::RunRecord record_;
  RunRecorder recorder_;
  Interrupt interrupt_;
};

TEST_F(RunLaunches, RunsEveryLaunchAndJournalsIt) {
  tests::set_script("");
  record_ = tests::run_record({planned_case("net", 8, 2), planned_case("net", 4, 3)});
  EXPECT_EQ(run(), RunEnd::complete);
  EXPECT_EQ(statuses(8), std::vector<Status>(2, Status::ok));
  EXPECT_EQ(statuses(4), std::vector<Status>(3, Status::ok));
  EXPECT_EQ(recorder_.starts.size(), 5U);
  EXPECT_EQ(recorder_.ends.back().done, 5U);
  EXPECT_EQ(recorder_.ends.back().total, 5U);
  const schema::RunRecord loaded = Journal::load(path_);
  EXPECT_EQ(loaded.host.libtorch->version, "2.13.0+fake");
  std::vector<std::int64_t> orders;
  for (const auto& [id, launches] : loaded.launches) {
    for (const schema::Launch& launch : launches) orders.push_back(launch.order);
  }
  std::sort(orders.begin(), orders.end());
  EXPECT_EQ(orders, (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(loaded.launches.at(planned_case("net", 4).id).at(2).index, 2);
}

TEST_F(RunLaunches, PartsOfALaunchAreInTheJournalAndInItsRecord) {
  tests::set_script(R"(["hello", {"part": {"samples": 6}}, {"part": {"samples": 6}}, {"signal": "KILL"}])");
  record_ = tests::run_record({planned_case("net", 8, 1)});
  EXPECT_EQ(run(), RunEnd::complete);
  const std::string id = record_.run.planned[0].id;
  ASSERT_EQ(statuses(8), std::vector<Status>{Status::crashed});
  EXPECT_EQ(record_.launches.at(id)[0].samples_seconds.size(), 12U);
  const std::string text = tests::content(path_);
  std::size_t parts = 0;
  for (std::size_t at = text.find("\"part\":"); at != std::string::npos; at = text.find("\"part\":", at + 1)) ++parts;
  EXPECT_EQ(parts, 2U);
  const schema::RunRecord loaded = Journal::load(path_);
  EXPECT_EQ(loaded.launches.at(id)[0].samples_seconds.size(), 12U);
  EXPECT_TRUE(loaded.unfinished.at(id).empty());
}

TEST_F(RunLaunches, TwoRunsTakeTurnsLaunchByLaunch) {
  tests::set_script("");
  record_ = tests::run_record({planned_case("net", 8, 3), planned_case("net", 4, 1)});
  schema::RunRecord other = record_;
  other.launches[other.run.planned[1].id] = {tests::launch_of(Status::ok, 0)};  // already has the launch
  std::string turns;
  const auto note_turn = [&](const schema::RunRecord& record, const schema::PlannedCase& planned) {
    if (planned.spec.batch_size == 8) turns += &record == &record_ ? 'a' : 'b';
    return tests::request_for(planned);
  };
  std::vector<JournaledRun> runs = both(other);
  EXPECT_EQ(run_launches(runs, note_turn, recorder_.sink(), interrupt_), RunEnd::complete);
  EXPECT_EQ(record_.launches.at(record_.run.planned[0].id).size(), 3U);
  EXPECT_EQ(other.launches.at(other.run.planned[0].id).size(), 3U);
  EXPECT_EQ(other.launches.at(other.run.planned[1].id).size(), 1U);
  ASSERT_EQ(turns.size(), 6U);
  for (std::size_t i = 0; i < 6; i += 2) EXPECT_NE(turns[i], turns[i + 1]) << turns;
  EXPECT_TRUE(turns.find("ab") != std::string::npos && turns.find("ba") != std::string::npos) << turns;
}

TEST_F(RunLaunches, ADisturbedLaunchSetsItsPairAside) {
  set_rules(R"({"launch":3,"actions":[{"pause":0.05},"normal"]})");
  record_ = tests::run_record({planned_case("net", 8, 3)});
  schema::RunRecord other = record_;
  std::vector<JournaledRun> runs = both(other);
  EXPECT_EQ(run_launches(runs, request_maker, recorder_.sink(), interrupt_), RunEnd::complete);
  using schema::Disturbance;
  const auto disturbed = [](const schema::RunRecord& record) {
    std::vector<std::optional<Disturbance>> all;
    for (const schema::Launch& launch : record.launches.begin()->second) all.push_back(launch.disturbed);
    return all;
  };
  using All = std::vector<std::optional<Disturbance>>;
  const All stopped{std::nullopt, Disturbance::stopped, std::nullopt};
  const All beside{std::nullopt, Disturbance::other_side, std::nullopt};
  const bool is_first = disturbed(record_) == stopped;
  EXPECT_EQ(disturbed(record_), is_first ? stopped : beside);
  EXPECT_EQ(disturbed(other), is_first ? beside : stopped);
  EXPECT_EQ(disturbed(Journal::load(path_)), disturbed(record_));
  EXPECT_EQ(disturbed(Journal::load(folder_ / "other.jsonl")), disturbed(other));
}

TEST_F(RunLaunches, StartsNothingMoreOfWhatComputedWrongly) {
  tests::set_script(R"({"rules":[{"case":"net/train/cpu/b1/","actions":
      ["hello",{"failure":{"status":"failed","kind":"wrong_output","message":"off by 3"}}]}]})");
  record_ = tests::run_record({planned_case("net", 1, 2), planned_case("net", 8, 2)});
  record_.run.seed = 1;
  EXPECT_EQ(run(), RunEnd::complete);
  EXPECT_EQ(statuses(1), (std::vector<Status>{Status::failed, Status::skipped}));
  EXPECT_EQ(statuses(8), (std::vector<Status>{Status::skipped, Status::skipped}));
  EXPECT_EQ(record_.launches[planned_case("net", 8).id][0].failure->kind, "wrong_output_backstop");
}

TEST_F(RunLaunches, StartsNoLargerBatchAfterOneThatRanOutOfMemory) {
  set_rules(R"({"case":"net/train/cpu/b8/","launch":2,"actions":
      ["hello",{"failure":{"status":"oom","kind":"oom","message":"too large"}}]})");
  record_ = tests::run_record(
      {planned_case("net", 64, 3), planned_case("net", 8, 3), planned_case("net", 1, 3), planned_case("other", 64, 3)});
  EXPECT_EQ(run(), RunEnd::complete);
  EXPECT_EQ(statuses(1), std::vector<Status>(3, Status::ok));
  EXPECT_EQ(statuses(8), (std::vector<Status>{Status::ok, Status::oom, Status::ok}));
  EXPECT_EQ(statuses(64), (std::vector<Status>{Status::ok, Status::skipped, Status::skipped}));
  const schema::Failure failure = *record_.launches[planned_case("net", 64).id][1].failure;
  EXPECT_EQ(failure.kind, "oom_backstop");
  EXPECT_EQ(failure.message, "not started: net/train/cpu/b8/fp32/eager/synthetic, a smaller batch, ran out of memory");
  EXPECT_EQ(record_.launches[planned_case("other", 64).id].at(2).status, Status::ok);
  EXPECT_EQ(recorder_.starts.size(), 10U);
  EXPECT_EQ(recorder_.ends.size(), 12U);
}

TEST_F(RunLaunches, ResumesWithWhatIsMissingOrWentWrongByAccident) {
  set_rules("");
  record_ = tests::run_record({planned_case("net", 1, 2), planned_case("net", 2, 2), planned_case("net", 4, 2)});
  record_.launches[record_.run.planned[0].id] = {tests::launch_of(Status::ok, 0), tests::launch_of(Status::crashed, 1)};
  record_.launches[record_.run.planned[1].id] = {tests::launch_of(Status::oom, 0), tests::launch_of(Status::failed, 1)};
  drop_unfinished(record_);
  EXPECT_EQ(run(), RunEnd::complete);
  EXPECT_EQ(tests::content(folder_ / "starts"), "net/train/cpu/b1/fp32/eager/synthetic\n");
  EXPECT_EQ(statuses(1), std::vector<Status>(2, Status::ok));
  EXPECT_EQ(statuses(4), std::vector<Status>(2, Status::skipped));  // the old `oom` still counts
  EXPECT_EQ(recorder_.starts.at(0).done, 4U);                       // three kept, one skipped
}

TEST_F(RunLaunches, AnInterruptRecordsTheLaunchAndStartsNoOther) {
  tests::set_script(R"(["hello","hang"])");
  record_ = tests::run_record({planned_case("net", 8, 3)});
  recorder_.at_start = [] { ::raise(SIGINT); };
  EXPECT_EQ(run(), RunEnd::interrupted);
  EXPECT_EQ(statuses(8), std::vector<Status>(1, Status::interrupted));
  EXPECT_EQ(Journal::load(path_).launches.at(record_.run.planned[0].id).size(), 1U);
}

TEST_F(RunLaunches, AnInterruptEndsTheCooldown) {
  tests::set_script("");
  record_ = tests::run_record({planned_case("net", 8, 2)});
  record_.run.planned[0].cooldown_seconds = 1e6;
  recorder_.at_end = [] { ::raise(SIGTERM); };
  EXPECT_EQ(run(), RunEnd::interrupted);
  EXPECT_EQ(statuses(8), std::vector<Status>(1, Status::ok));
}

TEST_F(RunLaunches, ATimeLimitStartsNoOtherLaunchAndLeavesNoPairHalf) {
  tests::set_script(R"([{"sleep": 0.2}, "normal"])");
  record_ = tests::run_record({planned_case("net", 8, 3)});
  schema::RunRecord other = record_;
  std::vector<JournaledRun> runs = both(other);
  const auto run_until = [&](double ends_at) {
    return run_launches(runs, request_maker, recorder_.sink(), interrupt_, ends_at);
  };
  EXPECT_EQ(run_until(base::steady_seconds() + 0.1), RunEnd::time_limit);
  EXPECT_EQ(statuses(8), std::vector<Status>(1, Status::ok));
  EXPECT_EQ(other.launches.at(record_.run.planned[0].id).size(), 1U);
  EXPECT_EQ(run_until(base::steady_seconds() + 1e6), RunEnd::complete);
  EXPECT_EQ(run_until(0), RunEnd::complete);  // nothing is missing
}

TEST_F(RunLaunches, AnotherLibtorchStopsTheRunAndIsNotRecorded) {
  set_rules(R"({"launch":2,"actions":[{"hello":{"libtorch":"2.9.0"}},"hang"]})");
  record_ = tests::run_record({planned_case("net", 8, 3)});
  EXPECT_EQ(run(), RunEnd::other_libtorch);
  EXPECT_EQ(statuses(8), std::vector<Status>(1, Status::ok));
  const schema::RunRecord loaded = Journal::load(path_);
  EXPECT_EQ(loaded.launches.at(record_.run.planned[0].id).size(), 1U);
  EXPECT_EQ(loaded.host.libtorch->version, "2.13.0+fake");
}

TEST_F(RunLaunches, AVanishedFolderIsMadeAgain) {
  tests::set_script("");
  path_ = folder_ / "results" / "run.jsonl";
  std::filesystem::create_directory(path_.parent_path());
  record_ = tests::run_record({planned_case("net", 8, 3)});
  recorder_.at_start = [this] {
    if (recorder_.starts.size() == 2) std::filesystem::remove_all(path_.parent_path());
  };
  EXPECT_EQ(run(), RunEnd::complete);
  const schema::RunRecord loaded = Journal::load(path_);
  EXPECT_EQ(loaded.launches.at(record_.run.planned[0].id).size(), 3U);
  EXPECT_TRUE(loaded.host.libtorch);
}

TEST_F(RunLaunches, AFullDiskStopsTheRunAndLosesNothing) {
  const tests::SmallDisk disk("64k");
  if (!disk.is_mounted()) GTEST_SKIP() << "mounting a small file system is not allowed here";
  path_ = disk.path() / "run.jsonl";
  tests::set_script(R"({"rules":[{"case":"/b8/","actions":[{"normal":{"samples":4000}}]}]})");
  record_ = tests::run_record({planned_case("net", 8, 3), planned_case("net", 4, 3)});
  EXPECT_EQ(run(), RunEnd::journal_failed);
  EXPECT_EQ(statuses(4), std::vector<Status>(1, Status::ok));
  EXPECT_EQ(statuses(8), std::vector<Status>(1, Status::ok));
  EXPECT_EQ(record_.launches[planned_case("net", 8).id].at(0).samples_seconds.size(), 4000U);
  schema::RunRecord loaded = Journal::load(path_);
  EXPECT_EQ(loaded.launches.at(planned_case("net", 4).id).size(), 1U);
  EXPECT_EQ(missing_launches(loaded).size(), 5U);
}

TEST_F(RunLaunches, WhatTheRequestMakerThrowsPassesThrough) {
  record_ = tests::run_record({planned_case("net", 8)});
  const RequestMaker broken = [](const schema::RunRecord&, const schema::PlannedCase&) -> schema::LaunchRequest {
    throw base::usage_error("no such layer");
  };
  EXPECT_THROW(run(broken), base::Error);
}

}  // namespace
}  // namespace mpsbench::supervise
