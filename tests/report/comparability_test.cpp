#include "report/compare/comparability.hpp"

#include "base/json_file.hpp"
#include "support/compared.hpp"
#include "support/sample_run.hpp"

#include <gtest/gtest.h>

namespace mpsbench::report {
namespace {

using tests::compared_case;
using tests::compared_report;
using Lines = std::vector<std::string>;

ComparedReport sample(const std::string& file, const schema::DeviceId& device = "cpu") {
  ComparedReport report = compared_report(file, {});
  for (const int batch : {1, 2}) {
    schema::CaseSpec spec = tests::sample_spec("mlp", schema::Mode::train, batch);
    spec.device = device;
    report.cases.push_back(
        compared_case("mlp/train/" + to_string(device) + "/b" + std::to_string(batch) + "/fp32", {1, 1}));
    report.cases.back().spec = spec;
    report.cases.back().backend = {{"autocast", "off"}, {"deterministic", "off"}};
  }
  return report;
}

void set_spec(ComparedCase& result, const std::string& key, const nlohmann::json& value) {
  nlohmann::json spec = schema::to_json(result.spec);
  spec[key] = value;
  result.spec = schema::from_json<schema::CaseSpec>(base::Reader(spec, "spec"));
}

Comparability of_machines(const std::vector<ComparedReport>& reports) {
  return comparability(machine_table(reports));
}

TEST(SameMachine, IsByNameCpuAndDevices) {
  const ComparedReport a = sample("a");
  ComparedReport b = sample("b");
  EXPECT_TRUE(same_machine(a, b));
  b.host.name = "other";
  EXPECT_FALSE(same_machine(a, b));
  EXPECT_FALSE(same_machine(a, sample("b", "cuda"))) << "no device in common";
  ComparedReport h100 = sample("a", "cuda");
  ComparedReport h200 = h100;
  h100.host.accelerators = {{"cuda", "H100", std::nullopt}};
  h200.host.accelerators = {{"cuda", "H200", std::nullopt}};
  EXPECT_FALSE(same_machine(h100, h200));
}

TEST(Comparability, OfLikeReportsHasNothingToSay) {
  const Comparability found = comparability(sample("a"), sample("b"));
  EXPECT_EQ(found.obstacles, Lines{});
  EXPECT_EQ(found.caveats, Lines{});
}

TEST(Comparability, GpuClocksSetByHandMustBeAlike) {
  ComparedReport before = sample("a", "cuda");
  ComparedReport after = sample("b", "cuda");
  for (ComparedCase& one : before.cases) one.gpu_clock = {1.98e9, false};
  for (ComparedCase& one : after.cases) one.gpu_clock = {1.97e9, false};
  EXPECT_EQ(comparability(before, after).caveats, Lines{});
  for (ComparedCase& one : after.cases) one.gpu_clock = {1.2e9, false};
  EXPECT_EQ(comparability(before, after).obstacles, Lines{});
  EXPECT_EQ(comparability(before, after).caveats,
            Lines{"the GPU's clock differed by more than 3 % after: mlp/train/cuda/b1/fp32 and 1 more"});
  for (ComparedCase& one : after.cases) one.gpu_clock = {1.2e9, true};
  EXPECT_EQ(comparability(before, after).obstacles,
            Lines{"GPU clocks automatic before, set by hand after: mlp/train/cuda/b1/fp32 and 1 more"});
  for (ComparedCase& one : before.cases) one.gpu_clock.is_set_by_hand = true;
  EXPECT_EQ(comparability(before, after).obstacles.size(), 1U) << "both set, but to different clocks";
  const Comparability machines = of_machines({before, after});
  EXPECT_EQ(machines.obstacles, Lines{}) << "two machines may have their own clocks";
}

TEST(Comparability, LaunchesOfOtherLengthsAreWorthKnowing) {
  ComparedReport before = sample("a");
  ComparedReport after = sample("b");
  before.cases[0].max_launch_seconds = 1;
  after.cases[0].max_launch_seconds = 3;
  EXPECT_EQ(comparability(before, after).caveats,
            Lines{"longest launch 1.00 s before, 3.00 s after: mlp/train/cpu/b1/fp32"});
}

TEST(Comparability, AsksWhetherFilesAreSwapped) {
  ComparedReport before = sample("a");
  ComparedReport after = sample("b");
  before.started_at = "2026-11-22T10:00:00Z";
  after.started_at = "2026-11-21T10:00:00Z";
  EXPECT_EQ(comparability(before, after).caveats,
            Lines{"the 'before' run started later than the 'after' run: are the files swapped?"});
  EXPECT_EQ(comparability(after, before).caveats, Lines{});
}

TEST(Comparability, OfPublishedFiguresIsByTheirIdsAndSaysSo) {
  const ComparedReport mine = sample("mine");
  ComparedReport theirs = sample("theirs", "mps");
  theirs.tool.version = "1";
  for (ComparedCase& one : theirs.cases) {
    one.definition_sha256 = "f00";
    set_spec(one, "seed", 3);
    one.published = schema::Published{"a file", {}, {"read-off-chart"}, "", {}, {}};
  }
  theirs.cases[0].published.value().remark = "Odd";
  const std::string said =
      "published figures come from their authors' programs; only their description says that the "
      "work is the same: mlp/train/cpu/b1/fp32 and 1 more";
  const std::string caution =
      "read-off-chart (The figure was read off a chart by eye.): mlp/train/mps/b1/fp32 in theirs and 1 more";
  const std::string remark = "remark (Odd): mlp/train/mps/b1/fp32 in theirs";
  Comparability found = of_machines({mine, theirs});
  EXPECT_EQ(found.obstacles, Lines{});
  EXPECT_EQ(found.caveats, (Lines{caution, remark, said}));

  ComparedReport other = sample("other");
  other.cases[0].definition_sha256 = "f00";
  found = of_machines({theirs, mine, other});
  EXPECT_EQ(found.obstacles.size(), 1U) << "measured reports are still compared with each other";
}

TEST(Comparability, RefusesUnlikeWorkPrecisionsAndClocks) {
  const ComparedReport a = sample("a");
  ComparedReport b = a;
  b.cases[0].definition_sha256 = "f00";
  set_spec(b.cases[1], "seed", 3);
  for (ComparedCase& one : b.cases) one.backend["autocast"] = "Half";
  EXPECT_EQ(comparability(a, b).obstacles,
            (Lines{"autocast off before, Half after: mlp/train/cpu/b1/fp32 and 1 more",
                   "seed 7 before, 3 after: mlp/train/cpu/b2/fp32",
                   "the network is different after (definition_sha256): mlp/train/cpu/b1/fp32"}));
  ComparedReport slow = a;
  slow.host.power.mode = "low-power";
  EXPECT_EQ(comparability(a, slow).obstacles, Lines{}) << "the first does not report its power mode";
  ComparedReport normal = a;
  normal.host.power.mode = "normal";
  EXPECT_EQ(comparability(normal, slow).obstacles, Lines{"power mode normal before, low-power after"});
}

TEST(Comparability, RefusesOtherData) {
  ComparedReport a = sample("a");
  ComparedReport b = sample("b");
  const std::string one(64, 'a');
  const std::string other(64, 'b');
  for (ComparedCase& each : a.cases) set_spec(each, "data_files", {{"vocab.txt", one}, {"x.bin", one}});
  EXPECT_EQ(comparability(a, b).obstacles, Lines{}) << "the other does not report it";
  for (ComparedCase& each : b.cases) set_spec(each, "data_files", {{"vocab.txt", one}, {"x.bin", other}});
  EXPECT_EQ(comparability(a, b).obstacles,
            Lines{"data file x.bin (SHA-256) aaaaaaaaaaaa before, bbbbbbbbbbbb after: mlp/train/cpu/b1/fp32 "
                  "and 1 more"});
  for (ComparedCase& each : b.cases) set_spec(each, "data_files", {{"vocab.txt", one}});
  EXPECT_TRUE(
      comparability(a, b).obstacles.at(0).starts_with("data file x.bin (SHA-256) aaaaaaaaaaaa before, "
                                                      "absent after"));
}

TEST(Comparability, OptionsThatAnEarlierReleaseDidNotTellWereAtTheirDefaults) {
  const ComparedReport old = sample("old");
  ComparedReport now = sample("now");
  for (ComparedCase& each : now.cases) set_spec(each, "max_length", 128);
  EXPECT_TRUE(comparability(old, now).obstacles.empty());
  EXPECT_TRUE(comparability(now, old).obstacles.empty());
  ComparedReport shorter = sample("shorter");
  for (ComparedCase& each : shorter.cases) set_spec(each, "max_length", 64);
  EXPECT_FALSE(comparability(shorter, now).obstacles.empty());
}

TEST(Comparability, ListsWhatAReaderShouldKnow) {
  const ComparedReport a = sample("a");
  ComparedReport b = sample("b");
  b.cases[0].spec.threads = 9;
  b.cases[0].backend["deterministic"] = "on";
  b.cases[0].flags = {"noisy"};
  b.run_status = schema::RunStatus::interrupted;
  b.host.libtorch = schema::LibtorchInfo{};
  b.host.libtorch->version = "2.13.0";
  b.host.environment["OMP_NUM_THREADS"] = "1";
  b.host.power.source = "battery";
  const Comparability found = comparability(a, b);
  EXPECT_EQ(found.obstacles, Lines{});
  EXPECT_EQ(found.caveats,
            (Lines{"deterministic off before, on after: mlp/train/cpu/b1/fp32",
                   "threads 2 before, 9 after: mlp/train/cpu/b1/fp32", "LibTorch unknown before, 2.13.0 after",
                   "power source unknown before, battery after", "OMP_NUM_THREADS unset before, 1 after",
                   "the run in b is interrupted", "flagged cases in b: noisy (1)"}));
}

TEST(Comparability, TellsHowManyThreadsWorked) {
  ComparedReport a = sample("a");
  ComparedReport b = sample("b");
  a.cases[0].working_threads = "2 on 2 CPUs";
  EXPECT_EQ(comparability(a, b).caveats, Lines{});
  b.cases[0].working_threads = "2 on 1 CPU";
  EXPECT_EQ(comparability(a, b).caveats,
            Lines{"threads at work 2 on 2 CPUs before, 2 on 1 CPU after: mlp/train/cpu/b1/fp32"});
}

TEST(Comparability, SaysWhatASlowVariableDoes) {
  ComparedReport a = sample("a");
  ComparedReport b = sample("b");
  a.host.environment = {{"NCCL_IB_DISABLE", "0"}, {"ATEN_CPU_CAPABILITY", "default"}, {"MKL_CBWR", "AVX2"}};
  b.host.environment = {{"MKL_CBWR", "AVX2"}, {"LD_PRELOAD", "libjemalloc.so.2"}};
  EXPECT_EQ(comparability(a, b).caveats,
            (Lines{"ATEN_CPU_CAPABILITY default before, unset after (chooses the vector instructions of LibTorch's "
                   "own kernels; default: the weakest)",
                   "LD_PRELOAD unset before, libjemalloc.so.2 after",
                   "NCCL_IB_DISABLE 0 before, unset after (machines exchange data without InfiniBand)"}));
}

TEST(Comparability, NamesCasesOfWhichLaunchesAreLeftOut) {
  const ComparedReport a = sample("a");
  ComparedReport b = sample("b");
  const Lines named{"b: launches whose step time is 0 or missing are left out: mlp/train/cpu/b1/fp32 and 1 more"};
  for (ComparedCase& one : b.cases) one.launches_without_time = 2;
  EXPECT_EQ(comparability(a, b).caveats, named);
  EXPECT_EQ(of_machines({a, b}).caveats, named);
  for (ComparedCase& one : b.cases) one.launches.clear();
  EXPECT_EQ(comparability(a, b).caveats, Lines{}) << "each case says that it has no samples";
}

TEST(Comparability, OfMachinesAllowsOtherDevicesThreadsAndClocks) {
  const ComparedReport a = sample("a.json");
  ComparedReport b = sample("b.json", "mps");
  for (ComparedCase& one : b.cases) set_spec(one, "threads", 8);
  b.host.name = "m1";
  EXPECT_EQ(of_machines({a, b}).obstacles, Lines{});
  EXPECT_EQ(of_machines({a, b}).caveats, Lines{});
  set_spec(b.cases[0], "rows", 5);
  EXPECT_EQ(of_machines({a, b}).obstacles, Lines{"rows 50000 in a.json, 5 in b.json: mlp/train/cpu/b1/fp32"});
}

TEST(Comparability, TellsThatCpusWereFartherApart) {
  ComparedReport before = sample("a");
  ComparedReport after = sample("b");
  const auto set = [](ComparedReport& report, double first, double second) {
    report.cases[0].launches[0].cpu_distance_seconds = first;
    report.cases[0].launches[1].cpu_distance_seconds = second;
  };
  set(before, 9e-8, 1.1e-7);
  EXPECT_EQ(comparability(before, after).caveats, Lines{});
  set(after, 1.2e-7, 1.5e-7);
  EXPECT_EQ(comparability(before, after).caveats, Lines{});
  set(after, 1e-7, 4.3e-7);
  EXPECT_EQ(comparability(before, after).caveats,
            Lines{"a cache line's way from one CPU to another and back 100 ns before, 265 ns after"});
}

}  // namespace
}  // namespace mpsbench::report
