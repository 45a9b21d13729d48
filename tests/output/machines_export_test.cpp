#include "output/export/machines_export.hpp"

#include "support/compared.hpp"
#include "support/errors.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace mpsbench::output {
namespace {

using tests::compared_case;

const std::vector<report::ComparedReport>& three_cells() {
  static const std::vector<report::ComparedReport> kReports{tests::compared_report(
      "a.json",
      {compared_case("x/train/cpu/b1/fp32", {1, 1}), compared_case("x/train/mps/b1/fp32", {0.5, 0.5}),
       compared_case("y/train/cpu/b1/fp32", {1, 1})})};
  return kReports;
}

std::string json_of(const std::vector<report::ComparedReport>& reports,
                    const std::vector<std::string>& notes) {
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
  EXPECT_EQ(document["speed_ups"][0]["crossover"], 1);
  EXPECT_EQ(document["speed_ups"][0]["by_batch"][0]["speed_up"], 2);
  EXPECT_EQ(document["speed_ups"][0]["by_batch"][0]["within_launch"], false);
}

TEST(MachinesCsv, HasALineACell) {
  const std::string text = machines_csv(machine_table(three_cells()));
  EXPECT_EQ(text.rfind("work,file,host,device,status,step_seconds,launches,speed,speed_low,speed_high,best,"
                       "published,cautions,within_launch,own_settings\r\n",
                       0),
            0U);
  EXPECT_TRUE(
      tests::contains(text, "\r\ny/train/b1/fp32,a.json,epyc-0a1b,mps,,,0,,,,false,false,,false,\r\n"));
}

TEST(MachinesCsv, MarksTheSpeedsOfSingleLaunches) {
  const std::vector<report::ComparedReport> reports{tests::compared_report(
      "a.json", {compared_case("x/train/cpu/b1/fp32", {1, 1}), compared_case("x/train/mps/b1/fp32", {0.5})})};
  const std::string text = machines_csv(machine_table(reports));
  EXPECT_TRUE(tests::contains(text, ",mps,ok,0.5,1,2.0,,,true,false,,true,\r\n")) << text;
  const auto document = nlohmann::json::parse(json_of(reports, {}));
  EXPECT_EQ(document["speed_ups"][0]["by_batch"][0]["within_launch"], true);
}

TEST(MachinesCsv, TellsPublishedFiguresAndTheirCautions) {
  std::vector<report::ComparedReport> reports = three_cells();
  reports.push_back(tests::compared_report(
      "b.json",
      {tests::published_case("x/train/mps/b1/fp32", 2, std::nullopt, {"read-off-chart", "no-synchronise"})}));
  const std::string text = machines_csv(machine_table(reports));
  EXPECT_TRUE(
      tests::contains(text, ",mps,ok,2.0,0,0.5,,,false,true,read-off-chart no-synchronise,false,\r\n"))
      << text;
}

}  // namespace
}  // namespace mpsbench::output
