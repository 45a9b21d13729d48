#include "output/page/page_view.hpp"
#include "support/paged.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace mpsbench::output {
namespace {

using nlohmann::ordered_json;

TEST(Thinned, KeepsTheEndsOfEachStretchInTheirOrder) {
  const std::vector<double> values{3, 1, 2, 9, 8, 7};
  EXPECT_EQ(thinned(values, 6), (std::vector<std::size_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(thinned(values, 4), (std::vector<std::size_t>{0, 1, 3, 5}));
  EXPECT_EQ(thinned({}, 2), std::vector<std::size_t>{});
  EXPECT_EQ(thinned(std::vector<double>{1, 2, 3, 4, 5}, 2), (std::vector<std::size_t>{0, 4}));
}

TEST(Shortened, KeepsSomeDigits) {
  EXPECT_EQ(shortened(1.23456789), ordered_json(1.2346));
  EXPECT_EQ(shortened(1234.56789, 2), ordered_json(1200.0));
  EXPECT_TRUE(shortened(std::numeric_limits<double>::infinity()).is_null());
}

TEST(PointsALaunch, AreFewerInLargePages) {
  EXPECT_EQ(points_a_launch({tests::paged_report({tests::timed_case(4, 0.1)})}), 200U);
  const schema::Report large = tests::paged_report(std::vector(100, tests::timed_case(4, 0.1, 4)));
  EXPECT_EQ(points_a_launch({large}), 74U);
  EXPECT_EQ(points_a_launch(std::vector(10, large)), 16U);
}

TEST(LaunchesView, HasFiguresSamplesAndSensors) {
  schema::CaseResult result = tests::timed_case(4, 0.1, 2);
  result.launches[1].status = schema::Status::crashed;
  result.launches[1].sensors = {
      {"gpu_clock", "Hz", 1.98e9, 1.5e9, 1.98e9}, {"gpu_power", "W", 70, 70, 70}, {"gpu_energy", "J", 0}};
  const ordered_json view = launches_view(result, 8);
  ASSERT_EQ(view["launches"].size(), 2U);
  const ordered_json& first = view["launches"][0];
  EXPECT_EQ(first["name"], "1");
  EXPECT_EQ(first["cells"], (ordered_json{"100 ms", "99.5 ms", "100 ms", "21 × 1", "1", "30.0 ms", "max-noise"}));
  EXPECT_EQ(first["samples"]["count"], 21);
  EXPECT_EQ(first["samples"]["values"].size(), 8U);
  EXPECT_EQ(view["launches"][1]["cells"].back(), "crashed");
  EXPECT_EQ(view["sensors"], (ordered_json{{"other_cpu_share", "1.0 %", "–"},
                                           {"gpu_clock", "–", "1.98 GHz (1.50 GHz … 1.98 GHz)"},
                                           {"gpu_power", "–", "70.0 W"}}))
      << "without what is 0 in all launches";
  EXPECT_TRUE(view["latency"].is_null());
}

TEST(LaunchesView, CountsSamplesByTheirTimes) {
  schema::CaseResult result = tests::timed_case(4, 0.1, 2);
  result.launches[0].samples_seconds = {1, 1, 1, 9};
  result.launches[1].samples_seconds = {};
  const ordered_json distribution = launches_view(result, 8)["distribution"];
  EXPECT_EQ(distribution["low"], 1.0);
  EXPECT_EQ(distribution["high"], 9.0);
  EXPECT_EQ(distribution["counts"], (ordered_json{{3, 0, 0, 0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, 0, 0, 0}}));
  EXPECT_EQ(distribution["medians"], (ordered_json{1.0, nullptr}));
  result.launches[0].samples_seconds = {2, 2};
  EXPECT_EQ(launches_view(result, 8)["distribution"]["counts"][0][0], 2) << "all are equal";
}

}  // namespace
}  // namespace mpsbench::output
