#include "output/text/columns.hpp"

#include "support/sample_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace mpsbench::output {
namespace {

using schema::Status;

const Column& column(const std::vector<Column>& all, const std::string& key) {
  return *std::find_if(all.begin(), all.end(), [&](const Column& one) { return one.key == key; });
}

TEST(Columns, KeysAreUniqueAndTitlesAreThoseOfTheTable) {
  std::set<std::string> keys;
  std::vector<std::string> titles;
  for (const Column& one : columns({})) {
    EXPECT_TRUE(keys.insert(one.key).second) << one.key;
    EXPECT_TRUE(one.value);
    if (!one.title.empty()) titles.push_back(one.title);
  }
  EXPECT_EQ(titles, (std::vector<std::string>{"model", "mode", "device", "prec", "batch", "step", "p90", "rows/s",
                                              "GFLOP/s", "peak mem", "flags"}));
}

TEST(Columns, ThreadsAndCpusAreShownWhereTheyDiffer) {
  const auto title = [](auto member, auto value, const std::string& key) {
    schema::Report report;
    report.cases.resize(2);
    report.cases[0].spec.*member = value;
    const std::string differs = column(columns(report), key).title;
    report.cases[1].spec.*member = value;
    EXPECT_EQ(column(columns(report), key).title, "") << key;
    return differs;
  };
  EXPECT_EQ(title(&schema::CaseSpec::threads, 3, "threads"), "threads");
  EXPECT_EQ(title(&schema::CaseSpec::interop_threads, 3, "interop_threads"), "inter-op");
  EXPECT_EQ(title(&schema::CaseSpec::affinity, "0-3", "affinity"), "CPUs");
}

TEST(Columns, RanksAreShownWhereThereAreSeveral) {
  schema::Report report;
  report.cases.resize(2);
  EXPECT_EQ(column(columns(report), "ranks").title, "");
  report.cases[1].spec.ranks = 2;
  EXPECT_EQ(column(columns(report), "ranks").title, "ranks");
  report.cases[1].spec.device = "cuda";
  EXPECT_EQ(column(columns(report), "ranks").title, "GPUs");
}

TEST(Columns, ThreadsAreNotShownWhereOnlyRanksChangeThem) {
  schema::Report report;
  report.cases.resize(2);
  report.cases[1].spec.threads = 4;
  EXPECT_EQ(column(columns(report), "threads").title, "threads");
  report.cases[1].spec.ranks = 2;
  EXPECT_EQ(column(columns(report), "threads").title, "");
}

TEST(Columns, TheEfficiencyIsShownWhereOneIsKnown) {
  schema::Report report;
  report.cases.resize(2);
  EXPECT_EQ(column(columns(report), "scaling_efficiency").title, "");
  report.cases[1].metrics.scaling_efficiency.value = 0.96;
  EXPECT_EQ(column(columns(report), "scaling_efficiency").title, "efficiency");
  EXPECT_EQ(cell_text(column(columns(report), "scaling_efficiency"), report.cases[1]), "96 %");
}

TEST(Columns, TheEngineIsShownWhereOneIsNotEager) {
  schema::Report report;
  report.cases.resize(2);
  report.cases[0].spec.engine = schema::Engine::eager;
  report.cases[1].spec.engine = schema::Engine::eager;
  EXPECT_EQ(column(columns(report), "engine").title, "");
  report.cases[1].spec.engine = schema::Engine::graph;
  EXPECT_EQ(column(columns(report), "engine").title, "engine");
}

TEST(Columns, TheCeilingIsShownWhereACaseHasIt) {
  schema::Report report;
  report.cases.resize(4);
  EXPECT_EQ(column(columns(report), "ceiling_share").title, "");
  report.cases[0].metrics.ceiling_share = 0.537;
  report.cases[1].metrics.ceiling_share = 0.0123;
  report.cases[2].metrics.ceiling_share = 1.08;
  const Column shown = column(columns(report), "ceiling_share");
  EXPECT_EQ(shown.title, "ceiling");
  EXPECT_EQ(cell_text(shown, report.cases[0]), "54 %");
  EXPECT_EQ(cell_text(shown, report.cases[1]), "1.2 %");
  EXPECT_EQ(cell_text(shown, report.cases[2]), "108 %");
  EXPECT_EQ(cell_text(shown, report.cases[3]), "–");
}

TEST(Columns, FlopUnitFollowsTheFastestCase) {
  schema::Report report;
  report.cases.resize(2);
  report.cases[0].metrics.flops_per_second = 5e9;
  report.cases[1].metrics.flops_per_second = 999e9;
  EXPECT_EQ(column(columns(report), "flops_per_second").title, "GFLOP/s");
  EXPECT_EQ(cell_text(column(columns(report), "flops_per_second"), report.cases[0]), "5.00");
  report.cases[1].metrics.flops_per_second = 5.56e12;
  EXPECT_EQ(column(columns(report), "flops_per_second").title, "TFLOP/s");
  EXPECT_EQ(cell_text(column(columns(report), "flops_per_second"), report.cases[1]), "5.56");
}

TEST(Columns, NullsAreDashes) {
  const schema::CaseResult nothing;
  for (const char* key : {"step_seconds", "step_p90_seconds", "rows_per_second", "flops_per_second", "peak_bytes"}) {
    EXPECT_EQ(cell_text(column(columns({}), key), nothing), "–") << key;
  }
}

TEST(Columns, TheStepIsTheMedianOrThePublishedMean) {
  schema::CaseResult result;
  result.metrics.step_seconds.median = 0.25;
  result.metrics.step_seconds.ci95 = schema::Interval{0.2475, 0.2525};
  const Column step = column(columns({}), "step_seconds");
  EXPECT_EQ(cell_text(step, result), "250 ms ±1.0 %");
  result.published = schema::Published{};
  EXPECT_EQ(cell_text(step, result), "–");
  result.metrics.step_seconds.median.reset();
  result.metrics.step_seconds.mean = 0.5;
  result.metrics.step_seconds.ci95 = schema::Interval{0.495, 0.505};
  EXPECT_EQ(cell_text(step, result), "500 ms ±1.0 % (mean)");
  result.metrics.step_seconds.ci95.reset();
  EXPECT_EQ(cell_text(step, result), "500 ms ±? (mean)");
}

TEST(Columns, ARateThatIsNotOfTheMedianStepIsMarked) {
  schema::CaseResult result;
  result.metrics.rows_per_second.value = 8333.3;
  for (const auto& [kind, text] : {std::pair{schema::kOfMedianStep, "8,333"},
                                   {schema::kOfMeanStep, "8,333 (mean)"},
                                   {schema::kOfEpochs, "8,333 (epochs)"},
                                   {schema::kOfLoop, "8,333 (loop)"}}) {
    result.metrics.rows_per_second.kind = kind;
    EXPECT_EQ(cell_text(column(columns({}), "rows_per_second"), result), text);
    EXPECT_EQ(plain_text(column(columns({}), "rows_per_second_kind").value(result)), kind);
  }
}

TEST(Columns, ThePublishedSpeedUpIsShownWhereOneIsKnown) {
  schema::Report report;
  report.cases.resize(1);
  EXPECT_EQ(column(columns(report), "published_speed_up").title, "");
  report.cases[0].published = schema::Published{};
  report.cases[0].published->speed_up = 21;
  const Column speed_up = column(columns(report), "published_speed_up");
  EXPECT_EQ(speed_up.title, "speed-up");
  EXPECT_EQ(cell_text(speed_up, report.cases[0]), "21.0×");
  EXPECT_EQ(cell_text(speed_up, {}), "–");
}

TEST(Columns, PeakIsTheDevicesWhereItHasMemoryOfItsOwn) {
  schema::CaseResult result;
  result.metrics.peak_resident_bytes = std::int64_t{2} << 30;
  EXPECT_EQ(cell_text(column(columns({}), "peak_bytes"), result), "2.0 GiB");
  result.metrics.peak_device_bytes = std::int64_t{1} << 30;
  EXPECT_EQ(cell_text(column(columns({}), "peak_bytes"), result), "1.0 GiB");
}

TEST(Columns, FailureWords) {
  const auto words = [](Status status, const std::string& message) {
    return failure_words(status, schema::Failure{"kind", message, "detail"});
  };
  EXPECT_EQ(words(Status::oom, "needs 14.2 GiB, 9.8 free"), "out of memory (needs 14.2 GiB, 9.8 free)");
  EXPECT_EQ(words(Status::oom, "out of memory at 3 GiB"), "out of memory at 3 GiB");
  EXPECT_EQ(words(Status::timeout, "600 s"), "timed out (600 s)");
  EXPECT_EQ(failure_words(Status::crashed, std::nullopt), "crashed");
  EXPECT_EQ(failure_words(Status::ok, std::nullopt), "");
  for (const Status status : {Status::unsupported, Status::failed, Status::skipped, Status::interrupted}) {
    EXPECT_FALSE(failure_words(status, std::nullopt).empty());
  }
}

TEST(Columns, Figures) {
  EXPECT_EQ(format_rate(226.64), "226.6");
  EXPECT_EQ(format_rate(12'345.6), "12,350");
  EXPECT_EQ(format_rate(0.83333), "0.8333");
}

TEST(Columns, HaveThePercentilesThatTheRunAskedFor) {
  schema::Report report;
  report.run.percentiles = {50, 90, 99, 99.9};
  schema::CaseResult& result = report.cases.emplace_back();
  result.metrics.step_seconds.percentiles = {{"50", 0.05}, {"99.9", std::nullopt}};
  const std::vector<Column> all = columns(report);
  EXPECT_EQ(column(all, "step_p50_seconds").title, "p50");
  EXPECT_EQ(cell_text(column(all, "step_p50_seconds"), result), "50.0 ms");
  EXPECT_EQ(cell_text(column(all, "step_p99.9_seconds"), result), "–");
  EXPECT_EQ(column(all, "step_p99_seconds").title, "p99");
  EXPECT_EQ(column(all, "latency_p99.9_seconds").title, "");
  const auto p99s =
      std::count_if(all.begin(), all.end(), [](const Column& one) { return one.key == "step_p99_seconds"; });
  EXPECT_EQ(p99s, 1);
  std::vector<std::string> titles;
  for (const Column& one : all) {
    if (one.title.starts_with("p") && one.title.find_first_of("0123456789") == 1) titles.push_back(one.title);
  }
  EXPECT_EQ(titles, (std::vector<std::string>{"p50", "p90", "p99", "p99.9"}));
}

TEST(Columns, ShowTheProjectedEpochs) {
  schema::Report report;
  report.run.epochs_projected = 90;
  EXPECT_EQ(column(columns(report), "projected_epochs_seconds").title, "") << "no case has it";
  schema::CaseResult& result = report.cases.emplace_back();
  result.metrics.projected_epochs_seconds.value = 14'058;
  const std::vector<Column> all = columns(report);
  EXPECT_EQ(column(all, "projected_epochs_seconds").title, "90 epochs");
  EXPECT_EQ(cell_text(column(all, "projected_epochs_seconds"), result), "3 h 54 min");
}

TEST(SpeedWords, SayHowMuchFasterOrSlower) {
  EXPECT_EQ(speed_words(3.1), "3.1 times as fast");
  EXPECT_EQ(speed_words(0.417), "2.4 times slower");
  EXPECT_EQ(speed_words(120), "120 times as fast");
  EXPECT_EQ(speed_words(1.01), "as fast");
  EXPECT_EQ(speed_words(0.97), "as fast");
}

}  // namespace
}  // namespace mpsbench::output
