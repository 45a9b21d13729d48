#include "schema/report.hpp"
#include "schema/samples.hpp"
#include "support/errors.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

namespace mpsbench::schema {
namespace {

TEST(ReportFile, NamesTheFileAndThePlaceOfAMistake) {
  const tests::Scratch folder;
  const auto file = folder.write("no-report.json", R"({"schema_version": 1})");
  EXPECT_EQ(tests::usage_error_of([&] { (void)load_report(file); }), file.string() + ": $: the key 'tool' is missing");
  EXPECT_TRUE(
      tests::contains(tests::usage_error_of([&] { (void)load_report(folder / "absent.json"); }), "absent.json"));
}

TEST(ReportFile, HasEachOfItsPartsOnce) {
  const tests::Scratch folder;
  std::string text = to_json(tests::full_report()).dump();
  text.back() = ',';
  const auto file = folder.write("twice.json", text + R"("cases": []})");
  EXPECT_EQ(tests::usage_error_of([&] { (void)load_report(file); }),
            file.string() + ": $: the key 'cases' appears twice");
}

TEST(ReportFile, SaysWhyAReportCannotBeWritten) {
  const tests::Scratch folder;
  EXPECT_TRUE(tests::contains(
      tests::error_of(base::ErrorKind::incomplete, [&] { save_report(Report{}, folder / "no-folder/mine.json"); }),
      "no-folder"));
}

std::string without_details(const Report& report) {
  std::string cases;
  const std::string text = to_json(report).dump(1);
  (void)stream_report(text, "x.json", Details::leave_out,
                      [&](const CaseResult& result, std::size_t) { cases += to_json(result).dump(1); });
  return cases;
}

TEST(ReportFile, ReadsTheSameWithoutDetails) {
  Report report = tests::full_report();
  Launch& launch = report.cases[0].launches[0];
  launch.sensors.push_back({"gpu_energy", "J", 12.5});
  launch.sensors.push_back({"cpu_distance_seconds", "s", 1e-7, 0.9e-7, 1.1e-7});
  launch.agreement.emplace_back();
  CaseResult expected = report.cases[0];
  expected.notes.clear();
  Launch& short_launch = expected.launches[0];
  short_launch.sensors.erase(short_launch.sensors.begin(), short_launch.sensors.begin() + 2);
  short_launch.warmup_samples_seconds.clear();
  short_launch.event_samples_seconds.clear();
  short_launch.setup_seconds.reset();
  short_launch.losses.clear();
  short_launch.live_bytes.clear();
  short_launch.self_test.reset();
  short_launch.event_check.reset();
  short_launch.step_parts.reset();
  EXPECT_EQ(without_details(report), to_json(expected).dump(1));
  report.cases[0].launches.clear();
  EXPECT_TRUE(tests::contains(without_details(report), R"("launches": [])"));
}

TEST(ReportFile, WithoutDetailsRefusesKeysThatItDoesNotKnow) {
  nlohmann::ordered_json document = to_json(tests::full_report());
  document["cases"][0]["launches"][0]["sampels"] = 1;
  EXPECT_TRUE(tests::contains(tests::usage_error_of([&] {
                                (void)stream_report(document.dump(), "x.json", Details::leave_out,
                                                    [](const CaseResult&, std::size_t) {});
                              }),
                              "x.json: $.cases[0].launches[0]: unknown key 'sampels'"));
}

}  // namespace
}  // namespace mpsbench::schema
