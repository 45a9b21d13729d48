#include "report/metrics/assemble.hpp"
#include "support/errors.hpp"
#include "support/sample_run.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

namespace mpsbench::report {
namespace {

using schema::Mode;
using tests::contains;

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

// A report of a separate run that began at MINUTE past ten, with one case per batch size and two launches each.
NamedReport made(const std::string& file, int minute, const std::vector<std::int64_t>& batch_sizes) {
  std::vector<schema::CaseSpec> specs;
  for (const std::int64_t size : batch_sizes) specs.push_back(tests::sample_spec("mlp", Mode::train, size));
  schema::RunRecord record = tests::sample_run(specs, 2);
  record.run.id = file;
  record.run.started_at = "2026-11-21T10:" + std::to_string(minute) + ":00Z";
  record.run.finished_at = "2026-11-21T10:" + std::to_string(minute + 1) + ":00Z";
  std::int64_t order = 0;
  for (std::int64_t index = 0; index < 2; ++index) {
    for (const schema::PlannedCase& planned : record.run.planned) {
      const double seconds = 0.1 + 0.001 * minute + 0.0001 * static_cast<double>(index);
      schema::Launch launch = tests::good_launch(tests::steady_samples(seconds, 101), index);
      launch.order = order++;
      launch.started_at = record.run.started_at;
      launch.wall_seconds = 4 + static_cast<double>(index);
      record.launches[planned.id].push_back(launch);
    }
  }
  return {file, assemble(record)};
}

std::string refusal(NamedReport first, NamedReport second) {
  return tests::error_of(base::ErrorKind::not_comparable, [&] { (void)merge({first, second}); });
}

// Returns the message that refuses a second report with CHANGE.
std::string refusal_of(const std::function<void(schema::Report&)>& change) {
  NamedReport second = made("b.json", 20, {4});
  change(second.report);
  return refusal(made("a.json", 10, {4}), second);
}

TEST(Merge, GivesWhatOneRunOfAllLaunchesGives) {
  const NamedReport first = made("a.json", 10, {4, 8});
  const NamedReport second = made("b.json", 20, {4, 8});
  schema::RunRecord whole = merge({first, second});
  const schema::Report merged = assemble(whole);
  EXPECT_EQ(merged.run.status, schema::RunStatus::complete);
  ASSERT_EQ(merged.cases.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const schema::CaseResult& result = merged.cases[i];
    ASSERT_EQ(result.launches.size(), 4U);
    EXPECT_EQ(merged.run.planned[i].repeats, 4);
    EXPECT_EQ(result.metrics.step_seconds.count, 404);
    EXPECT_DOUBLE_EQ(result.metrics.step_seconds.median.value(), (0.1101 + 0.12) / 2);
    for (std::size_t launch = 0; launch < 4; ++launch)
      EXPECT_EQ(result.launches[launch].index, static_cast<std::int64_t>(launch));
  }
  EXPECT_EQ(merged.cases[0].launches.back().order, 6);
  EXPECT_EQ(merged.cases[1].launches.back().order, 7);
}

TEST(Merge, JoinsOtherCases) {
  const schema::Report merged =
      assemble(merge({made("b.json", 20, {4, 8}), made("a.json", 10, {4}), made("c.json", 30, {16})}));
  ASSERT_EQ(merged.cases.size(), 3U);
  EXPECT_EQ(merged.cases[0].launches.size(), 4U);
  EXPECT_EQ(merged.cases[1].launches.size(), 2U);
  EXPECT_EQ(merged.run.status, schema::RunStatus::complete);
  EXPECT_EQ(merged.cases[0].launches[0].started_at, "2026-11-21T10:10:00Z") << "in the order of the runs";
}

TEST(Merge, JoinsRunsWithOtherThreads) {
  NamedReport second = made("b.json", 20, {8});
  second.report.host.libtorch.value().intra_op_threads = 1;
  second.report.host.libtorch.value().inter_op_threads = 3;
  second.report.run.planned[0].spec.threads = 1;
  EXPECT_EQ(assemble(merge({made("a.json", 10, {4}), second})).cases.size(), 2U);
}

TEST(Merge, HasARunOfItsOwn) {
  const auto run = [](const std::vector<NamedReport>& reports) { return merge(reports).run; };
  NamedReport first = made("a.json", 10, {4});
  NamedReport second = made("b.json", 20, {8});
  second.report.run.suite = "quick";
  second.report.run.strict = true;
  first.report.run.planned_within_seconds = 300;
  const schema::RunInfo merged = run({first, second});
  EXPECT_EQ(merged.argv, (std::vector<std::string>{"mpsbench", "merge", "a.json", "b.json"}));
  EXPECT_EQ(merged.started_at, "2026-11-21T10:10:00Z");
  EXPECT_EQ(merged.finished_at, "2026-11-21T10:21:00Z");
  EXPECT_EQ(merged.suite, "adhoc+quick");
  EXPECT_TRUE(merged.strict);
  EXPECT_FALSE(merged.planned_within_seconds);
  EXPECT_EQ(merged.id.size(), 12U);
  EXPECT_EQ(merged.id, run({second, first}).id) << "the same runs";
  EXPECT_NE(merged.id, run({first, made("c.json", 20, {8})}).id);
  second.report.run.finished_at.reset();
  second.report.run.status = schema::RunStatus::interrupted;
  EXPECT_FALSE(run({first, second}).finished_at);
  EXPECT_EQ(run({first, second}).status, schema::RunStatus::interrupted);
}

TEST(Merge, RefusesOtherMachinesAndBuilds) {
  const std::vector<std::pair<std::string, std::function<void(schema::Report&)>>> table{
      {"host.name is \"other\" in b.json, \"epyc-0a1b\" in a.json",
       [](schema::Report& report) { report.host.name = "other"; }},
      {"host.cpu.model", [](schema::Report& report) { report.host.cpu.model = "Xeon"; }},
      {"host.power.source", [](schema::Report& report) { report.host.power.source = "battery"; }},
      {"host.environment.OMP_NUM_THREADS is \"1\" in b.json, absent in a.json",
       [](schema::Report& report) { report.host.environment["OMP_NUM_THREADS"] = "1"; }},
      {"host.libtorch.version", [](schema::Report& report) { report.host.libtorch.value().version = "2.14.0"; }},
      {"tool.git_commit", [](schema::Report& report) { report.tool.git_commit = "0123abc"; }}};
  for (const auto& [said, change] : table) {
    const std::string error = refusal_of(change);
    EXPECT_EQ(error.rfind("b.json cannot be merged with a.json: ", 0), 0U) << error;
    EXPECT_TRUE(contains(error, said)) << error;
  }
}

TEST(Merge, RefusesOtherWorkUnderTheSameId) {
  const std::vector<std::pair<std::string, std::function<void(schema::PlannedCase&)>>> table{
      {"spec.optimizer.lr is 0.5 in b.json", [](auto& planned) { planned.spec.optimizer.settings["lr"] = 0.5; }},
      {"spec.seed is 8 in b.json, 7 in a.json", [](auto& planned) { planned.spec.seed = 8; }},
      {"definition_sha256", [](auto& planned) { planned.definition_sha256 = "0"; }},
      {"measure.min_samples", [](auto& planned) { planned.measure.min_samples = 99; }}};
  for (const auto& [said, change] : table) {
    const std::string error = refusal_of([&mutate = change](schema::Report& report) { mutate(report.run.planned[0]); });
    EXPECT_TRUE(contains(error, "case mlp/train/cpu/b4/fp32/eager/synthetic: ")) << error;
    EXPECT_TRUE(contains(error, said)) << error;
  }
}

TEST(Merge, TakesTheLargerTimeLimits) {
  NamedReport second = made("b.json", 20, {4});
  second.report.run.planned[0].measure.max_time_seconds = 5;
  second.report.run.planned[0].timeout_seconds = 1;
  const schema::RunRecord merged = merge({made("a.json", 10, {4}), second});
  EXPECT_EQ(merged.run.planned[0].measure.max_time_seconds, 5);
  EXPECT_EQ(merged.run.planned[0].timeout_seconds, 600);
}

TEST(Merge, CountsNoLaunchTwice) {
  const NamedReport first = made("a.json", 10, {4});
  NamedReport second = made("b.json", 20, {4});
  const std::string error = tests::usage_error_of([&] { (void)merge({first, second, first}); });
  EXPECT_TRUE(contains(error, "a.json and a.json both contain the launch of mlp/train/cpu/b4")) << error;
  const NamedReport merged{"m.json", assemble(merge({first, second}))};
  EXPECT_TRUE(contains(tests::usage_error_of([&] { (void)merge({merged, second}); }), "b.json"));
}

TEST(Merge, JoinsWhatRunsLearnedOfTheHost) {
  NamedReport first = made("a.json", 10, {4});
  NamedReport second = made("b.json", 20, {8});
  first.report.host.libtorch.reset();
  first.report.host.load_average = 0.5;
  first.report.host.ceilings = {{"cpu", 2, "2026-11-21T10:00:00Z", {{schema::Precision::fp32, 1e11}}, 3e10}};
  second.report.host.ceilings = {{"cpu", 2, "2026-11-21T10:20:00Z", {{schema::Precision::fp32, 2e11}}, 3e10},
                                 {"cpu", 1, "2026-11-21T10:20:00Z", {{schema::Precision::fp32, 1e11}}, 3e10}};
  second.report.host.accelerators = {{"cuda", "H200", 1000}};
  second.report.host.interconnect = {.numa_nodes = {0, 0}, .pairs = {{0, 1, schema::GpuPath::nvlink, 18, true}}};
  const schema::HostInfo host = merge({first, second}).host;
  EXPECT_EQ(host.libtorch.value().version, "2.13.0+cpu");
  EXPECT_EQ(host.load_average, 0.5);
  ASSERT_EQ(host.ceilings.size(), 2U);
  EXPECT_EQ(host.ceilings[0].measured_at, "2026-11-21T10:20:00Z");
  ASSERT_EQ(host.accelerators.size(), 1U);
  EXPECT_EQ(host.interconnect, second.report.host.interconnect);

  NamedReport third = made("c.json", 30, {16});
  third.report.host.accelerators = {{"cuda", "H100", 1000}};
  EXPECT_TRUE(contains(refusal(second, third), "c.json cannot be merged with b.json: its cuda is a different one"));
  third.report.host.accelerators.clear();
  third.report.host.libtorch.value().version = "2.14.0";
  EXPECT_TRUE(contains(tests::error_of(base::ErrorKind::not_comparable, [&] { (void)merge({first, second, third}); }),
                       "c.json cannot be merged with b.json: host.libtorch.version"));
  third = made("c.json", 30, {16});
  third.report.host.interconnect = {.numa_nodes = {0, 0}, .pairs = {{0, 1, schema::GpuPath::node, 0, true}}};
  second.report.run.launcher = {"torchrun", 2, 1};
  const auto joined = merge({second, third});
  EXPECT_EQ(joined.host.interconnect, second.report.host.interconnect);
  EXPECT_FALSE(joined.run.launcher) << "one launcher did not start all";
}

TEST(Merge, WhatNoWorkerRanIsNoLaunchTwice) {
  for (const schema::Status status : {schema::Status::unsupported, schema::Status::skipped}) {
    NamedReport first = made("a.json", 10, {4});
    schema::Launch launch = tests::bad_launch(status, "no GPU");
    launch.wall_seconds = 0;
    first.report.cases[0].launches = {launch, launch};
    NamedReport second = first;
    second.file = second.report.run.id = "b.json";
    EXPECT_EQ(assemble(merge({first, second})).cases[0].status, status);
  }
}

TEST(Merge, RefusesNumbersBeyondCounting) {
  const std::vector<std::function<void(schema::Report&)>> changes{
      [](schema::Report& report) { report.cases[0].launches[0].order = kMost; },
      [](schema::Report& report) { report.cases[0].launches[0].index = kMost; },
      [](schema::Report& report) { report.run.planned[0].repeats = kMost; }};
  for (const auto& change : changes) {
    NamedReport second = made("b.json", 20, {4});
    change(second.report);
    EXPECT_TRUE(contains(tests::usage_error_of([&] { (void)merge({made("a.json", 10, {4}), second}); }), "b.json: "));
  }
}

TEST(Merge, KeepsWhatDisturbedLaunches) {
  std::vector<NamedReport> reports{made("a", 0, {8}), made("b", 5, {8})};
  reports[0].report.cases[0].launches[1].disturbed = schema::Disturbance::stopped;
  reports[0].report.run.planned[0].repeated = 1;
  reports[1].report.run.planned[0].repeated = 2;
  reports[0].report.run.repeats_disturbed = true;
  const schema::RunRecord merged = merge(std::move(reports));
  EXPECT_EQ(merged.launches.begin()->second.at(1).disturbed, schema::Disturbance::stopped);
  EXPECT_EQ(merged.run.planned[0].repeated, 3);
  EXPECT_FALSE(merged.run.repeats_disturbed);
  EXPECT_EQ(assemble(merged).cases[0].metrics.step_seconds.count, 3 * 101);
}

}  // namespace
}  // namespace mpsbench::report
