#include "output/page/page_view.hpp"

#include "support/paged.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace mpsbench::output {
namespace {

using nlohmann::ordered_json;
using tests::machine;
using tests::timed_case;

ordered_json view_of(const std::vector<schema::Report>& reports) {
  const PageReports page = page_reports(reports, {});
  return page_view(page, page_references(page));
}

TEST(PageView, HasEachFigureWithItsIntervalAndText) {
  schema::CaseResult result = timed_case(4, 0.1);
  result.metrics.energy_joules_per_row = 0.25;
  result.metrics.epoch_seconds = {90, schema::Interval{84, 96}, "measured"};
  const ordered_json figures = view_of({tests::paged_report({result})})["cases"][0]["f"];
  EXPECT_EQ(figures["rows_per_second"], (ordered_json{40.0, 39.604, 40.404, "40.00", "±1.0 %"}));
  EXPECT_EQ(figures["step_seconds"], (ordered_json{0.1, 0.099, 0.101, "100 ms", "±1.0 %"}));
  EXPECT_EQ(figures["energy_joules_per_row"], (ordered_json{0.25, nullptr, nullptr, "0.2500", ""}));
  EXPECT_EQ(figures["epoch_seconds"], (ordered_json{1.5, 1.4, 1.6, "1.50 min", "±6.7 %"}));
  EXPECT_FALSE(figures.contains("latency_seconds"));
}

TEST(PageView, HasTheSpeedOfEachMode) {
  const ordered_json view = view_of({tests::paged_report({timed_case(4, 0.1), tests::generating_case(4, 0.1)})});
  const ordered_json& modes = view["modes"];
  EXPECT_EQ(modes["train"], (ordered_json{{"heading", "Training"}, {"speed", "rows_per_second"}}));
  EXPECT_EQ(modes["generate"], (ordered_json{{"heading", "Generation"}, {"speed", "tokens_per_second"}}));
  EXPECT_EQ(view["cases"][1]["f"]["tokens_per_second"], (ordered_json{40.0, 39.604, 40.404, "40.00", "±1.0 %"}));
  EXPECT_FALSE(view["cases"][1]["f"].contains("rows_per_second"));
}

TEST(PageView, HasOnlyMeasuredEpochsAndPublishedMeans) {
  schema::CaseResult result = timed_case(4, 0.1, 0);
  result.published = schema::Published{};
  result.metrics.step_seconds = {};
  result.metrics.step_seconds.mean = 0.2;
  result.metrics.rows_per_second = {20, std::nullopt, schema::kOfMeanStep};
  result.metrics.epoch_seconds = {90, std::nullopt, "projected"};
  const ordered_json one = view_of({tests::paged_report({result})})["cases"][0];
  EXPECT_EQ(one["f"]["step_seconds"], (ordered_json{0.2, nullptr, nullptr, "200 ms", "±? (mean)"}));
  EXPECT_EQ(one["f"]["rows_per_second"], (ordered_json{20.0, nullptr, nullptr, "20.00", "±? (mean)"}));
  EXPECT_FALSE(one["f"].contains("epoch_seconds"));
  EXPECT_EQ(one["launches"], "published");
}

TEST(PageView, HasTheRatiosForEachReference) {
  const ordered_json view = view_of(
      {machine("a", {timed_case(4, 0.4), timed_case(8, 0.4)}), machine("b", {timed_case(4, 0.1), timed_case(8, 0.2)})});
  EXPECT_EQ(view["machines"], (ordered_json{"a", "b"}));
  EXPECT_EQ(view["works"], (ordered_json{{0, 2}, {1, 3}}));
  ASSERT_EQ(view["references"].size(), 2U);
  EXPECT_EQ(view["references"][0]["m"], 0) << "the slower";
  const ordered_json& faster = view["references"][0]["others"][0];
  EXPECT_EQ(faster["m"], 1);
  EXPECT_EQ(faster["ratios"][0], (ordered_json{0, 4.0, 3.9991, 4.0009, "4.00×", "±0.0 %"}));
  EXPECT_EQ(faster["f"], (ordered_json{2.8284, 2.0, 4.0, "2.83×", "2.00× … 4.00×"}));
  EXPECT_EQ(faster["cases"], "2 shared cases");
  EXPECT_EQ(view["references"][1]["others"][0]["ratios"][1][4], "0.500×");
  EXPECT_TRUE(view["gate"].is_null());
}

TEST(PageView, HasTheVerdictsOfAGate) {
  const ordered_json view = view_of({tests::paged_report({timed_case(4, 0.1), timed_case(8, 0.2)}, "old"),
                                     tests::paged_report({timed_case(4, 0.11), timed_case(8, 0.2)}, "new")});
  ASSERT_EQ(view["gate"].size(), 2U);
  const ordered_json& slower = view["gate"][0];
  EXPECT_EQ(slower["case"], 2) << "the case of the new report";
  EXPECT_EQ(slower["name"], "mlp train, batch 4");
  EXPECT_EQ(slower["verdict"], "slower");
  EXPECT_EQ(slower["threshold"], 0.02);
  EXPECT_EQ(slower["f"][3], "+10.0 %");
  EXPECT_EQ(slower["values"], "100 ms ±0.2 % → 110 ms ±0.2 %");
  EXPECT_EQ(view["gate"][1]["verdict"], "same");
}

TEST(PageView, LeadsFromSeveralProcessesToOne) {
  schema::CaseResult many = timed_case(4, 0.1);
  many.spec.ranks = 2;
  many.id += "+ranks=2";
  const ordered_json view = view_of({machine("a", {timed_case(8, 1)}), machine("b", {timed_case(4, 0.15), many})});
  EXPECT_FALSE(view["cases"][1].contains("one"));
  EXPECT_EQ(view["cases"][2]["one"], 1);
}

TEST(PageView, LeavesOutFiguresOfOtherWork) {
  schema::CaseResult result = timed_case(4, 0.1, 0);
  result.published = schema::Published{"", std::nullopt, {"mislabelled-workload"}, "", std::nullopt, {}};
  EXPECT_EQ(view_of({tests::paged_report({result})})["cases"][0]["f"], ordered_json::object());
}

}  // namespace
}  // namespace mpsbench::output
