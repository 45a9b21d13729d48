#include "output/console/run_remarks.hpp"

#include "report/metrics/assemble.hpp"
#include "schema/run_info.hpp"
#include "support/sample_run.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace mpsbench::output {
namespace {

// What a scripted run of a case saw: each launch's median step, and what its sensors said.
struct Script {
  std::vector<double> medians;
  double other_cpu_share = 0;
  std::vector<schema::SensorRecord> sensors = {};
  std::int64_t stopped = -1;  // the launch that was stopped
};

schema::Launch launch_of(double median, const Script& script, std::int64_t index) {
  schema::Launch launch = tests::good_launch(tests::steady_samples(median, 21), index);
  launch.sensors = script.sensors;
  launch.sensors.push_back({"other_cpu_share", "1", script.other_cpu_share});
  if (index == script.stopped) launch.disturbed = schema::Disturbance::stopped;
  return launch;
}

// Assembles the report of SCRIPTS, so that its intervals and flags are those of real reports.
schema::Report report_of(const std::vector<Script>& scripts) {
  std::vector<schema::CaseSpec> specs;
  for (std::size_t i = 0; i < scripts.size(); ++i)
    specs.push_back(tests::sample_spec("mlp", schema::Mode::train, static_cast<std::int64_t>(i) + 1));
  schema::RunRecord record = tests::sample_run(specs, 1);
  for (std::size_t i = 0; i < scripts.size(); ++i) {
    schema::PlannedCase& planned = record.run.planned[i];
    planned.repeats = std::ssize(scripts[i].medians);
    std::vector<schema::Launch>& launches = record.launches[planned.id];
    for (const double median : scripts[i].medians)
      launches.push_back(launch_of(median, scripts[i], std::ssize(launches)));
  }
  return report::assemble(record);
}

const std::vector<double> kAlike{1, 1.001, 0.999};
const std::vector<double> kApart{1, 1.05, 0.95};
const std::vector<double> kFarApart{1, 2, 0.5};

// What is said of reports, as they come from their launches.
TEST(RunRemarks, SayWhatDisturbedTheRunAndWhatWouldHelp) {
  const auto sensed = [](const char* sensor, double value) { return Script{kAlike, 0, {{sensor, "1", value}}}; };
  std::vector<double> seven;  // the advised launches are enough if the spread stays
  for (std::size_t i = 0; i < 7; ++i) seven.push_back(kApart[i % kApart.size()]);
  std::vector<Script> ten(10, Script{kAlike});
  ten[3].medians = kApart;
  const std::string uncertain = "uncertain by more than ±5 %";
  const std::string single = "only one good launch, so nothing shows how much launches differ: use -r ";
  const std::string long_times = ", so times may be too long: ";
  const std::pair<std::vector<Script>, std::string> rows[] = {
      {{{kAlike}, {kAlike}}, ""},
      {{{seven}}, ""},
      {{{kApart}}, "The time is " + uncertain + ": give each case more launches: -r 7."},
      {{{kApart}, {kApart}}, "The times of all 2 cases are " + uncertain + ": give each case more launches: -r 7."},
      {ten, "The time of 1 of 10 cases is " + uncertain + " (mlp/train/cpu/b4): give each case more launches: -r 7."},
      {{{kApart, 0.6}, {kApart, 0.42}, {kAlike, 0.51}},
       "Other processes took 51 % of the CPU on average, and the times of 2 of 3 cases are " + uncertain +
           ": close other programs, or give each case more launches: -r 7."},
      {{{kAlike, 0.51}}, "Other processes took 51 % of the CPU on average" + long_times + "close other programs."},
      {{{kAlike, 0.12}, {kAlike}, {kAlike}},
       "Other processes took up to 12 % of the CPU in 3 of 9 launches" + long_times + "close other programs."},
      {{sensed("cpu_quota_pauses", 4), {kAlike}},
       "A control group's CPU quota paused 3 of 6 launches" + long_times +
           "raise the quota (cpu.max, docker --cpus, a pod's limits) or lower --threads."},
      {{sensed("cpu_throttle_events", 4)},
       "Heat or a power brake slowed the machine down in 3 of 3 launches" + long_times +
           "let it cool down with --cooldown 30s."},
      {{sensed("low_power_mode", 1)},
       "A low-power mode was on in 3 of 3 launches" + long_times + "turn off the low-power mode."},
      {{sensed("gpu_other_utilization", 0.3)},
       "Other programs used the GPU just before 3 of 3 launches" + long_times + "close other programs."},
      {{sensed("on_battery", 1)}, "The machine ran on its battery" + long_times + "plug it in."},
      {{{{1, 1.001, 9, 0.999}, 0, {}, 2}}, "1 of 4 launches was disturbed (stopped) and set aside."},
      {{{kAlike, 0, {}, 2}},
       "A signal or the machine's sleep stopped 1 of 3 launches" + long_times +
           "let the run go on without a stop. The case has fewer than 3 undisturbed launches, so disturbed ones count, "
           "too."},
      // Each cure once.
      {{{kApart, 0.3, {{"gpu_other_utilization", "1", 0.3}, {"on_battery", "1", 1}}}},
       "Other processes took 30 % of the CPU on average, other programs used the GPU just before 3 of 3 launches and "
       "the machine ran on its battery, and the time is " +
           uncertain + ": close other programs, plug it in, or give each case more launches: -r 7."},
      {{{kFarApart}},
       "The time is " + uncertain +
           ": more than 50 launches per case would be needed; mpsbench doctor shows what may disturb them."},
      {{{kFarApart, 0.8}},
       "Other processes took 80 % of the CPU on average, and the time is " + uncertain +
           ": close other programs; otherwise more than 50 launches per case would be needed."},
      {{{{1}}}, "The case has " + single + "3."},
      {{{{1}}, {{1}}}, "Each case has " + single + "3."},
      {{{kAlike}, {{1}}}, "1 of 2 cases has " + single + "3."},
      {{{{1}, 0.5}},
       "Other processes took 50 % of the CPU" + long_times + "close other programs. The case has " + single + "3."},
      {{{kApart}, {{1}}},
       "The time of 1 of 2 cases is " + uncertain +
           " (mlp/train/cpu/b1): give each case more launches: -r 7. 1 of 2 "
           "cases has " +
           single + "7."}};
  for (const auto& [scripts, said] : rows) EXPECT_EQ(run_remarks(report_of(scripts)), said);
}

// The same after a CHANGE of the report.
std::string remarks_after(const std::vector<Script>& scripts, const std::function<void(schema::Report&)>& change) {
  schema::Report report = report_of(scripts);
  change(report);
  return run_remarks(report);
}

TEST(RunRemarks, AnUnknownIntervalIsUncertain) {
  EXPECT_TRUE(
      remarks_after({{kApart}, {kApart}, {{1}}, {{1}}, {{1}}, {{1}}}, [](schema::Report& report) {
        for (std::size_t i = 2; i < 6; ++i) report.cases[i].metrics.step_seconds.ci95.reset();
      }).starts_with("The times of all 6 cases are uncertain by more than ±5 % or to an unknown extent (±?): "));
  EXPECT_TRUE(remarks_after({{kApart}, {kApart}}, [](schema::Report& report) {
                for (schema::CaseResult& result : report.cases) result.flags.clear();
                report.cases[1].metrics.step_seconds.ci95.reset();
              }).starts_with("The time of 1 of 2 cases is uncertain to an unknown extent (±?)"));
}

TEST(RunRemarks, AdviseWhatNoisyCasesLack) {
  const std::string uncertain = "The time is uncertain by more than ±5 %: ";
  EXPECT_EQ(remarks_after({{kAlike}},
                          [](schema::Report& report) {
                            report.cases[0].flags = {"noisy"};
                            report.cases[0].metrics.step_seconds.ci95 = schema::Interval{0.9, 1.1};
                          }),
            uncertain + "measure longer with --max-time.")
      << "launches that agree";
  EXPECT_EQ(remarks_after({{kAlike}},
                          [](schema::Report& report) {
                            schema::CaseResult& result = report.cases[0];
                            result.flags = {"noisy"};
                            result.metrics.latency_seconds.median = 1;
                            result.metrics.latency_seconds.ci95 = schema::Interval{0.8, 1.2};
                            for (std::size_t i = 0; i < kApart.size(); ++i)
                              result.launches[i].latency_samples_seconds = {kApart[i]};
                          }),
            uncertain + "give each case more launches: -r 7.")
      << "uncertain latencies count, too";
  EXPECT_EQ(remarks_after({{{1}}}, [](schema::Report& report) { report.cases[0].flags = {"noisy", "within-launch"}; }),
            uncertain + "give each case more launches: -r 3.");
}

TEST(RunRemarks, AnUnfinishedRunIsFinishedFirst) {
  schema::Report report = report_of({{kApart}, {{1}}, {{}}});
  for (schema::PlannedCase& planned : report.run.planned) planned.repeats = 7;
  report.cases[1].flags.emplace_back("incomplete");
  EXPECT_EQ(run_remarks(report),
            "The time of 1 of 3 cases is uncertain by more than ±5 % (mlp/train/cpu/b1): finish the run with "
            "--resume. 1 of 3 cases has only one good launch, so nothing shows how much launches differ: finish "
            "the run with --resume.");
  report.run.planned[0].repeats = 3;  // finishing the run would not be enough for all cases
  EXPECT_NE(run_remarks(report).find("give each case more launches: -r 7. "), std::string::npos);
}

TEST(RunRemarks, APlannedRunGetsMoreTime) {
  const Script wide{{1, 1.13, 0.885}};
  const std::tuple<Script, double, const char*> rows[] = {
      {{kApart}, 135, "The time is uncertain by more than ±5 %: give each case more launches: --time-limit 6m."},
      {{kApart}, 15, "The time is uncertain by more than ±5 %: give each case more launches: --time-limit 35s."},
      {{{1}}, 60, "The case has only one good launch, so nothing shows how much launches differ: use --time-limit 3m."},
      {wide, 135, "more than 20 launches per case would be needed"}};
  for (const auto& [script, limit, said] : rows) {
    const auto set_limit = [seconds = limit](schema::Report& report) { report.run.planned_within_seconds = seconds; };
    EXPECT_NE(remarks_after({script}, set_limit).find(said), std::string::npos) << remarks_after({script}, set_limit);
  }
  EXPECT_NE(run_remarks(report_of({wide})).find("more launches: -r "), std::string::npos);
}

TEST(RunRemarks, ATimedLoopHasNoOptions) {
  const auto is_loop = [](schema::Report& report) {
    report.run.definitions = {{"sha", schema::timed_loop_definition("mine")}};
  };
  EXPECT_EQ(remarks_after({{{1}}}, is_loop),
            "The case has only one good launch, so nothing shows how much launches differ: run the program 3 "
            "times and merge the reports.");
  EXPECT_EQ(remarks_after({{kApart}}, is_loop),
            "The time is uncertain by more than ±5 %: run the program 7 times and merge the reports.");
}

TEST(RunRemarks, ExplainMoreThanTheCeilingOfGeneration) {
  schema::Report report = report_of({{kAlike}});
  report.cases[0].metrics.ceiling_share = 1.2;
  const std::string usual = run_remarks(report);
  report.cases[0].spec.mode = schema::Mode::generate;
  EXPECT_EQ(run_remarks(report), usual + (usual.empty() ? "" : " ") +
                                     "More than 100 % of the ceiling: a processor's cache holds weights, so not all "
                                     "come from memory.");
  report.cases[0].metrics.ceiling_share = 1;
  EXPECT_EQ(run_remarks(report), usual);
}

TEST(RunRemarks, CasesWithoutFiguresSayNothing) {
  EXPECT_EQ(run_remarks({}), "");
  schema::Report report = report_of({{kApart, 0.9}});
  report.cases[0].launches.clear();
  EXPECT_EQ(run_remarks(report), "");
}

TEST(RunRemarks, CoverTheseFlags) {
  EXPECT_TRUE(is_told_in_words("noisy"));
  EXPECT_TRUE(is_told_in_words("background-load"));
  EXPECT_FALSE(is_told_in_words("drifting"));
}

TEST(RunRemarks, TellOfCpusThatMovedApart) {
  schema::Report report = report_of({{kAlike}});
  for (std::size_t i = 0; i < 3; ++i)
    report.cases[0].launches[i].sensors.push_back(
        schema::sensor_record(schema::sensor::kCpuDistance, i == 1 ? 4.3e-7 : 9e-8));
  EXPECT_EQ(run_remarks(report),
            "This machine's CPUs were farther apart (a cache line took 430 ns instead of 90 ns there "
            "and back) in 1 of 3 launches, so times may be too long: measure again later.");
}

TEST(RunRemarks, TellWhichBatchesCannotBeToldApartAndKeepTheThreadsThatWereTried) {
  EXPECT_EQ(
      remarks_after({{kAlike}},
                    [](schema::Report& report) {
                      report.run.planned[0].id = "mlp/train/cpu/b32";
                      report.run.planned[0].tied_batches = schema::TiedBatches{32, 512, 0.304};
                      report.run.fewer_threads = {"mlp/train/cpu/b1", 2, 0.812, 1, 0.319};
                    }),
      "Before the run, beside other programs, mlp/train/cpu/b1 took 319 ms with --threads 1 instead of 812 ms with "
      "2. mlp/train/cpu/b32: batches of 32 to 512 cannot be told apart here (±30 %).");
}

}  // namespace
}  // namespace mpsbench::output
