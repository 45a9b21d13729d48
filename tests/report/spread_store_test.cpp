#include "report/compare/spread_store.hpp"

#include "support/compared.hpp"
#include "support/sample_run.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

namespace mpsbench::report {
namespace {

using tests::compared_case;

// RUNS runs of PER_RUN launches each; the odd runs are a little slower.
schema::CaseResult runs_of_launches(std::int64_t runs, std::int64_t per_run) {
  schema::CaseResult result;
  for (std::int64_t i = 0; i < runs * per_run; ++i) {
    const double seconds =
        0.01 * (1 + 0.002 * static_cast<double>(i % 2) + 0.001 * static_cast<double>(i % 3));
    result.launches.push_back(tests::good_launch({seconds, seconds, seconds}, i));
  }
  return result;
}

TEST(Calibrate, TakesLaunchesThatFollowEachOtherForARun) {
  const auto spread = calibrate(runs_of_launches(10, 3), 3);
  ASSERT_TRUE(spread);
  EXPECT_EQ(spread->runs, 10);
  EXPECT_GT(spread->launch, 0);
}

TEST(Calibrate, LeavesOutRunsThatAreNotWhole) {
  schema::CaseResult result = runs_of_launches(10, 3);
  result.launches[4].status = schema::Status::crashed;
  EXPECT_EQ(calibrate(result, 3)->runs, 9);
  result.launches.resize(14);
  EXPECT_FALSE(calibrate(result, 3)) << "only three complete runs";
}

TEST(Calibrate, LeavesOutRunsThatWereDisturbedIfEnoughAreLeft) {
  schema::CaseResult result = runs_of_launches(6, 3);
  result.launches[4].disturbed = schema::Disturbance::background_load;
  EXPECT_EQ(calibrate(result, 3)->runs, 5);
  result.launches[8].disturbed = schema::Disturbance::background_load;
  EXPECT_EQ(calibrate(result, 3)->runs, 6);
}

TEST(Calibrate, FindsNothingWhereARunHasNoLaunch) {
  EXPECT_FALSE(calibrate(runs_of_launches(10, 1), 0));
}

class CalibrationFile : public testing::Test {
 protected:
  static schema::HostInfo machine() {
    schema::HostInfo host;
    host.cpu.model = "AMD EPYC";
    return host;
  }

  tests::Scratch scratch_;
  SpreadStore calibration_{scratch_ / "cache"};
  schema::HostInfo host_ = machine();
};

TEST_F(CalibrationFile, KeepsCasesBesideEachOther) {
  calibration_.keep(host_, "cpu", {{"a", {0.02, 0.01, 10}}, {"b", {0.1, 0, 7}}});
  calibration_.keep(host_, "cpu", {{"b", {0.2, 0.1, 8}}, {"c", {0, 0, 5}}});
  const Spreads found = calibration_.find(host_, "cpu");
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found.at("a").run, 0.01);
  EXPECT_EQ(found.at("b").launch, 0.2);
  EXPECT_EQ(found.at("b").runs, 8);
  EXPECT_TRUE(calibration_.find(host_, "cuda").empty());
  host_.cpu.model = "Apple M1";
  EXPECT_TRUE(calibration_.find(host_, "cpu").empty());
}

TEST_F(CalibrationFile, ABrokenOneCostsAWarning) {
  calibration_.keep(host_, "cpu", {{"a", {0.02, 0.01, 10}}});
  const std::filesystem::path file = std::filesystem::directory_iterator(scratch_ / "cache")->path();
  for (const char* wrong : {"\"runs\": 1", "\"runs\": 10.5", "\"other\": 10"}) {
    std::string text = tests::content(file);
    text.replace(text.find("\"runs\": 10"), 10, wrong);
    scratch_.write("cache/" + file.filename().string(), text);
    testing::internal::CaptureStderr();
    EXPECT_TRUE(calibration_.find(host_, "cpu").empty()) << wrong;
    EXPECT_NE(testing::internal::GetCapturedStderr().find("$.spread.a"), std::string::npos) << wrong;
    calibration_.keep(host_, "cpu", {{"a", {0.02, 0.01, 10}}});
  }
}

TEST_F(CalibrationFile, AChangeWithinItIsNotCalled) {
  const ComparedReport before =
      tests::compared_report("a", {compared_case("x/train/cpu/b1", {1, 1.001, 0.999, 1, 1})});
  const ComparedReport after =
      tests::compared_report("b", {compared_case("x/train/cpu/b1", {1.05, 1.051, 1.049, 1.05, 1.05})});
  EXPECT_EQ(compare(before, after, {}, calibration_.spread_of(host_)).cases[0].verdict, Verdict::slower);
  calibration_.keep(host_, "cpu", {{"x/train/cpu/b1", {0, 0.02, 10}}});
  const Comparison comparison = compare(before, after, {}, calibration_.spread_of(host_));
  EXPECT_EQ(comparison.cases[0].verdict, Verdict::undecided);
  EXPECT_TRUE(comparison.cases[0].is_machine_noise);
  EXPECT_FALSE(comparison.cases[0].launches_needed);
  EXPECT_NEAR(comparison.cases[0].machine_spread.value(), 0.096, 0.001);
  calibration_.keep(host_, "cpu", {{"x/train/cpu/b1", {0, 0.01, 10}}});
  EXPECT_EQ(compare(before, after, {}, calibration_.spread_of(host_)).cases[0].verdict, Verdict::slower);
}

}  // namespace
}  // namespace mpsbench::report
