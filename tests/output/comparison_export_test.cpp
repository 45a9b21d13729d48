#include "output/export/exporters.hpp"
#include "support/compared.hpp"
#include "support/errors.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace mpsbench::output {

namespace {

using tests::compared_case;
using tests::compared_report;
using tests::contains;

struct ExportedComparison {
  report::ComparedReport before =
      compared_report("a.json", {compared_case("x/train/cpu/b1", {1, 1.001}), compared_case("y/train/cpu/b1", {1}),
                                 compared_case("w/train/cpu/b1", {1})});
  report::ComparedReport after =
      compared_report("b.json", {compared_case("x/train/cpu/b1", {1.5, 1.501}), compared_case("z/train/cpu/b1", {1}),
                                 compared_case("w/train/cpu/b1", {1.5})});
  report::Comparison comparison = report::compare(before, after, {0.05, 0.02});
};

TEST(ComparisonJson, HoldsAllThatTheTableSays) {
  const ExportedComparison made;
  const auto document = nlohmann::json::parse(comparison_json(made.comparison, {"a note"}));
  EXPECT_EQ(document["view"], "gate");
  EXPECT_EQ(document["before"]["file"], "a.json");
  EXPECT_EQ(document["after"]["run_id"], "b.json");
  EXPECT_EQ(document["threshold"], 0.05);
  EXPECT_EQ(document["alpha"], 0.02);
  EXPECT_EQ(document["caveats"], nlohmann::json{"a note"});
  EXPECT_TRUE(document["geometric_mean"].is_null());
  ASSERT_EQ(document["cases"].size(), 4U);
  const auto& first = document["cases"][0];
  EXPECT_EQ(first["verdict"], "slower");
  EXPECT_NEAR(first["ratio"].get<double>(), 1.5, 1e-3);
  EXPECT_LT(first["ratio_low"], first["ratio"]);
  EXPECT_EQ(first["before_launches"], 2);
  EXPECT_TRUE(first["within_launch_ratio"].is_null());
  const auto& single = document["cases"][2];
  EXPECT_TRUE(single["ratio"].is_null() && single["ratio_low"].is_null() && single["ratio_high"].is_null());
  EXPECT_EQ(single["within_launch_ratio"], 1.5);
  EXPECT_TRUE(document["cases"][3]["before_step_seconds"].is_null());
  EXPECT_EQ(document["cases"][3]["reason"], "only after");
}

TEST(ComparisonJson, HasAnEntryForEachMetric) {
  report::ComparedReport before = compared_report("a.json", {compared_case("x/train/cpu/b1", {1, 1})});
  tests::set_values(before.cases[0], schema::GatedMetric::peak_memory, {1000, 1000});
  report::ComparedReport after = compared_report("b.json", {compared_case("x/train/cpu/b1", {1, 1.2})});
  tests::set_values(after.cases[0], schema::GatedMetric::peak_memory, {1500, 1500});
  tests::count_memory(before.cases[0]);
  tests::count_memory(after.cases[0]);
  report::CompareRules rules;
  rules.gate_on = {{schema::GatedMetric::step, std::nullopt}, {schema::GatedMetric::peak_memory, 0.01}};
  const auto cases = nlohmann::json::parse(comparison_json(report::compare(before, after, rules), {}))["cases"];
  ASSERT_EQ(cases.size(), 2U);
  EXPECT_EQ(cases[0]["metric"], "step");
  EXPECT_EQ(cases[0]["verdict"], "undecided");
  EXPECT_EQ(cases[0]["standing"], "could be slower or faster by more than 2 %");
  EXPECT_EQ(cases[1]["id"], cases[0]["id"]);
  EXPECT_EQ(cases[1]["metric"], "peak-memory");
  EXPECT_NEAR(cases[1]["before_value"].get<double>(), 1000, 1e-9);
  EXPECT_NEAR(cases[1]["after_value"].get<double>(), 1500, 1e-9);
  EXPECT_EQ(cases[1]["before_step_seconds"], 1.0);
  EXPECT_EQ(cases[1]["threshold"], 0.01);
  EXPECT_EQ(cases[1]["verdict"], "slower") << "the word for worse in all metrics";
}

TEST(ComparisonCsv, HasALineACase) {
  const ExportedComparison made;
  const std::string text = comparison_csv(made.comparison);
  EXPECT_EQ(text.rfind("id,before_step_seconds,after_step_seconds,before_launches,after_launches,ratio,", 0), 0U);
  EXPECT_TRUE(contains(text, "\r\ny/train/cpu/b1,1.0,,1,0,,,,,0.05,,not compared,,only before,step,1.0,,,\r\n"));
  EXPECT_TRUE(contains(text, "\r\nw/train/cpu/b1,1.0,1.5,1,1,,,,,0.05,,undecided,5,,step,1.0,1.5,,1.5\r\n")) << text;
}

const std::vector<report::ComparedReport>& three_cells() {
  static const std::vector<report::ComparedReport> kReports{tests::compared_report(
      "a.json", {compared_case("x/train/cpu/b1/fp32", {1, 1}), compared_case("x/train/mps/b1/fp32", {0.5, 0.5}),
                 compared_case("y/train/cpu/b1/fp32", {1, 1})})};
  return kReports;
}

std::string json_of(const std::vector<report::ComparedReport>& reports, const std::vector<std::string>& notes) {
  const report::MachineTable table = machine_table(reports);
  return machines_json(table, machine_summary(table), notes);
}

TEST(MachinesJson, HoldsCellsAndSpeedUps) {
  const auto document = nlohmann::json::parse(json_of(three_cells(), {"a note"}));
  EXPECT_EQ(document["view"], "machines");
  EXPECT_EQ(document["caveats"], nlohmann::json{"a note"});
  ASSERT_EQ(document["cases"].size(), 4U);
  EXPECT_EQ(document["cases"][1]["device"], "mps");
  EXPECT_EQ(document["cases"][1]["speed"], 2);
  EXPECT_EQ(document["cases"][1]["best"], true);
  EXPECT_TRUE(document["cases"][3]["status"].is_null());
  ASSERT_EQ(document["speed_ups"].size(), 1U);
  const auto& speed_ups = document["speed_ups"][0];
  EXPECT_EQ(speed_ups["crossover"], 1);
  EXPECT_EQ(speed_ups["by_batch"][0]["speed_up"], 2);
  EXPECT_EQ(speed_ups["by_batch"][0]["within_launch"], false);
}

TEST(MachinesCsv, HasALineACell) {
  std::vector<report::ComparedReport> reports = three_cells();
  reports.push_back(tests::compared_report(
      "b.json", {tests::published_case("x/train/mps/b1/fp32", 2, std::nullopt, {"read-off-chart", "no-synchronise"})}));
  reports.push_back(compared_report("c.json", {compared_case("x/train/mps/b1/fp32", {0.4})}));
  const std::string text = machines_csv(machine_table(reports));
  for (const char* line :
       {"work,file,host,device,status,step_seconds,launches,speed,speed_low,speed_high,best,published,cautions,"
        "within_launch,own_settings,first_token_seconds\r\n",
        "\r\ny/train/b1/fp32,a.json,epyc-0a1b,mps,,,0,,,,false,false,,false,,\r\n",
        ",mps,ok,2.0,0,0.5,,,false,true,read-off-chart no-synchronise,false,,\r\n",
        ",c.json,epyc-0a1b,mps,ok,0.4,1,2.5,,,true,false,,true,,\r\n"})
    EXPECT_TRUE(contains(text, line)) << line << "\nin\n" << text;
}

}  // namespace

}  // namespace mpsbench::output
