#include "output/text/columns.hpp"

#include "support/sample_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace mpsbench::output {
namespace {

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

// A column is shown after a change of the second of two cases, and not before.
TEST(Columns, AreShownWhereACaseHasOrNeedsThem) {
  struct Row {
    const char* key;
    const char* title;
    void (*change)(schema::CaseResult& result);
    const char* cell;  // of the second case
  };
  const auto on_cuda = [](schema::CaseResult& c) {
    c.spec.ranks = 2;
    c.spec.device = "cuda";
  };
  const auto with_speed_up = [](schema::CaseResult& c) {
    c.published = schema::Published{};
    c.published->speed_up = 21;
  };
  for (const auto& [key, title, change, cell] :
       {Row{"threads", "threads", [](auto& c) { c.spec.threads = 3; }, "3"},
        Row{"interop_threads", "inter-op", [](auto& c) { c.spec.interop_threads = 3; }, "3"},
        Row{"affinity", "CPUs", [](auto& c) { c.spec.affinity = "0-3"; }, "0-3"},
        Row{"ranks", "ranks", [](auto& c) { c.spec.ranks = 2; }, "2"}, Row{"ranks", "GPUs", on_cuda, "2"},
        Row{"engine", "engine", [](auto& c) { c.spec.engine = schema::Engine::graph; }, "graph"},
        Row{"scaling_efficiency", "efficiency", [](auto& c) { c.metrics.scaling_efficiency.value = 0.96; }, "96 %"},
        Row{"ceiling_share", "ceiling", [](auto& c) { c.metrics.ceiling_share = 0.537; }, "54 %"},
        Row{"ceiling_share", "ceiling", [](auto& c) { c.metrics.ceiling_share = 0.0123; }, "1.2 %"},
        Row{"ceiling_share", "ceiling", [](auto& c) { c.metrics.ceiling_share = 1.08; }, "108 %"},
        Row{"projected_epochs_seconds", "90 epochs", [](auto& c) { c.metrics.projected_epochs_seconds.value = 14'058; },
            "3 h 54 min"},
        Row{"published_speed_up", "speed-up", with_speed_up, "21.0×"}}) {
    schema::Report report;
    report.run.epochs_projected = 90;
    report.cases.resize(2);
    for (schema::CaseResult& result : report.cases) result.spec.engine = schema::Engine::eager;
    EXPECT_EQ(column(columns(report), key).title, "") << key;
    change(report.cases[1]);
    EXPECT_EQ(column(columns(report), key).title, title);
    EXPECT_EQ(cell_text(column(columns(report), key), report.cases[1]), cell) << key;
  }
}

TEST(Columns, PercentilesOfGenerationAreThoseOfItsTokens) {
  schema::Report report;
  report.run.percentiles = {95};
  report.cases.resize(2);
  report.cases[1].spec.mode = schema::Mode::generate;
  for (schema::CaseResult& result : report.cases) {
    result.metrics.step_seconds.percentiles["95"] = 0.001;
    result.metrics.latency_seconds.percentiles["95"] = 0.002;
    result.metrics.latency_seconds.p90 = 0.003;
  }
  const std::vector<Column> all = columns(report);
  EXPECT_EQ(column(all, "step_p95_seconds").title, "p95");
  EXPECT_EQ(cell_text(column(all, "step_p95_seconds"), report.cases[0]), "1.00 ms");
  EXPECT_EQ(cell_text(column(all, "step_p95_seconds"), report.cases[1]), "2.00 ms");
  EXPECT_EQ(cell_text(column(all, "step_p90_seconds"), report.cases[0]), "–");
  EXPECT_EQ(cell_text(column(all, "step_p90_seconds"), report.cases[1]), "3.00 ms");
  EXPECT_EQ(std::get<double>(column(all, "step_p95_seconds").value(report.cases[1])), 0.001) << "CSV has the metric";
}

TEST(Columns, ThreadsAreNotShownWhereOnlyRanksChangeThem) {
  schema::Report report;
  report.cases.resize(2);
  report.cases[1].spec.threads = 4;
  report.cases[1].spec.ranks = 2;
  EXPECT_EQ(column(columns(report), "threads").title, "");
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
  for (const char* key : {"step_seconds", "step_p90_seconds", "rows_per_second", "flops_per_second", "peak_bytes",
                          "ceiling_share", "published_speed_up"})
    EXPECT_EQ(cell_text(column(columns({}), key), nothing), "–") << key;
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

TEST(Columns, PeakIsTheDevicesWhereItHasMemoryOfItsOwn) {
  schema::CaseResult result;
  result.metrics.peak_resident_bytes = std::int64_t{2} << 30;
  EXPECT_EQ(cell_text(column(columns({}), "peak_bytes"), result), "2.0 GiB");
  result.metrics.peak_device_bytes = std::int64_t{1} << 30;
  EXPECT_EQ(cell_text(column(columns({}), "peak_bytes"), result), "1.0 GiB");
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

}  // namespace
}  // namespace mpsbench::output
