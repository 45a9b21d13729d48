#include "output/page/page_timeline.hpp"

#include "support/errors.hpp"
#include "support/paged.hpp"

#include <gtest/gtest.h>

namespace mpsbench::output {
namespace {

using tests::count_of;

TEST(TimelineChart, ShowsSamplesMediansAndWarmUp) {
  const std::string svg = timeline_chart(tests::timed_case(4, 0.1, 3), 400);
  EXPECT_EQ(count_of(svg, "class=\"trace \""), 3U) << svg;
  EXPECT_EQ(count_of(svg, "class=\"trace quiet\""), 3U) << svg;
  EXPECT_EQ(count_of(svg, "class=\"warmup\""), 3U) << svg;
  EXPECT_EQ(count_of(svg, "class=\"median\""), 3U) << svg;
  EXPECT_EQ(count_of(svg, "class=\"throttled\""), 0U) << svg;
}

TEST(TimelineChart, MarksThrottledLaunches) {
  schema::CaseResult result = tests::timed_case(4, 0.1, 3);
  result.launches[1].sensors.push_back({"gpu_throttled", "1", 0.2, 0.0, 1.0});
  EXPECT_EQ(count_of(timeline_chart(result, 400), "class=\"throttled\""), 1U);
}

TEST(TimelineChart, MarksWhatIsBeyondTheAxis) {
  schema::CaseResult result = tests::timed_case(4, 0.1, 1);
  result.launches[0].samples_seconds = tests::steady_samples(0.1, 301);
  result.launches[0].samples_seconds[150] = 5;
  EXPECT_EQ(count_of(timeline_chart(result, 400), "class=\"beyond \""), 1U);
}

TEST(TimelineChart, StaysSmall) {
  schema::CaseResult result = tests::timed_case(4, 0.1, 1);
  for (int i = 0; i < 100'000; ++i) result.launches[0].samples_seconds.push_back(0.1 + 1e-4 * (i % 97));
  EXPECT_LT(timeline_chart(result, 400).size(), 8000U);
}

TEST(TimelineChart, NamesFailedLaunches) {
  EXPECT_EQ(timeline_chart(schema::CaseResult{}, 400), "");
  EXPECT_TRUE(tests::contains(timeline_chart(tests::unmeasured_case(), 400), ">oom</text>"));
}

TEST(TimelineChart, TellsWhenNotAllLaunchesAreShown) {
  const std::string svg = timeline_chart(tests::timed_case(4, 0.1, 30), 400);
  EXPECT_TRUE(tests::contains(svg, "the first 20 of 30")) << svg;
  EXPECT_EQ(count_of(svg, "class=\"median\""), 20U);
}

}  // namespace
}  // namespace mpsbench::output
