#include "output/export/comparison_export.hpp"

#include "support/compared.hpp"
#include "support/errors.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace mpsbench::output {
namespace {

using tests::compared_case;
using tests::compared_report;
using tests::contains;

struct Made {
  report::ComparedReport before = compared_report(
      "a.json", {compared_case("x/train/cpu/b1", {1, 1.001}), compared_case("y/train/cpu/b1", {1})});
  report::ComparedReport after = compared_report(
      "b.json", {compared_case("x/train/cpu/b1", {1.5, 1.501}), compared_case("z/train/cpu/b1", {1})});
  report::Comparison comparison = report::compare(before, after, {0.05, 0.02});
};

TEST(ComparisonJson, HoldsAllThatTheTableSays) {
  const Made made;
  const auto document = nlohmann::json::parse(comparison_json(made.comparison, {"a note"}));
  EXPECT_EQ(document["view"], "gate");
  EXPECT_EQ(document["before"]["file"], "a.json");
  EXPECT_EQ(document["after"]["run_id"], "b.json");
  EXPECT_EQ(document["threshold"], 0.05);
  EXPECT_EQ(document["alpha"], 0.02);
  EXPECT_EQ(document["caveats"], nlohmann::json{"a note"});
  EXPECT_TRUE(document["geometric_mean"].is_null());
  ASSERT_EQ(document["cases"].size(), 3U);
  const auto& first = document["cases"][0];
  EXPECT_EQ(first["verdict"], "slower");
  EXPECT_NEAR(first["ratio"].get<double>(), 1.5, 1e-3);
  EXPECT_LT(first["ratio_low"], first["ratio"]);
  EXPECT_EQ(first["before_launches"], 2);
  EXPECT_TRUE(document["cases"][2]["before_step_seconds"].is_null());
  EXPECT_EQ(document["cases"][2]["reason"], "only after");
}

TEST(ComparisonCsv, HasALineACase) {
  const Made made;
  const std::string text = comparison_csv(made.comparison);
  EXPECT_EQ(text.rfind("id,before_step_seconds,after_step_seconds,before_launches,after_launches,ratio,", 0),
            0U);
  EXPECT_TRUE(contains(text, "\r\ny/train/cpu/b1,1.0,,1,0,,,,,0.05,,not compared,,only before\r\n"));
}

}  // namespace
}  // namespace mpsbench::output
