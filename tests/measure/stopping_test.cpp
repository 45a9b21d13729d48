#include "measure/stopping.hpp"

#include "measure/window.hpp"

#include <gtest/gtest.h>

namespace mpsbench::measure {
namespace {

using Names = std::vector<std::string>;

const schema::MeasureSpec kSpec{};  // 0.5 s, 10 s, +-1 %, 10 samples

SamplesSoFar taken(const std::vector<double>& samples, double timed_seconds, double now_seconds) {
  return {samples, timed_seconds, static_cast<std::int64_t>(samples.size()), now_seconds};
}

TEST(Stopping, NeedsTimeSamplesAndANarrowInterval) {
  const std::vector<double> steady(20, 1.0);
  StoppingRule rule{kSpec, 10, std::nullopt};
  EXPECT_FALSE(rule.stops(taken(std::vector<double>(9, 1.0), 1, 1)));
  EXPECT_FALSE(rule.stops(taken(steady, 0.4, 1)));
  EXPECT_EQ(rule.stops(taken(steady, 0.5, 1)), "max-noise");
}

TEST(Stopping, NamesWhatIsUnmet) {
  const StoppingRule rule{kSpec, 10, std::nullopt};
  EXPECT_EQ(rule.unmet(taken({1, 2}, 0.1, 10)), (Names{"min-time", "min-samples", "max-noise"}));
  EXPECT_EQ(rule.unmet(taken(std::vector<double>(5, 1.0), 0.5, 10)), (Names{"min-samples"}));
  EXPECT_EQ(rule.unmet(taken(std::vector<double>(10, 1.0), 0.5, 10)), Names{});
}

TEST(Stopping, LimitsEndWhatHasNoAnswer) {
  const std::vector<double> noisy{1, 2, 1.5, 2, 1, 1.2, 1.7, 1, 2, 1.1, 1.9, 1};
  StoppingRule rule{kSpec, 10, std::nullopt};
  EXPECT_FALSE(rule.stops(taken(noisy, 5, 9.99)));
  EXPECT_EQ(rule.stops(taken(noisy, 5, 10)), "max-time");
  EXPECT_EQ(rule.stops(taken(std::vector<double>(kMostSamples, 1.0), 0.25, 1)), "max-samples");
}

TEST(Stopping, AnAnswerReachedWithALimitIsTheAnswer) {
  StoppingRule rule{kSpec, 10, std::nullopt};
  EXPECT_EQ(rule.stops(taken(std::vector<double>(10, 1.0), 5, 10)), "max-noise");
}

TEST(Stopping, BatchesCountSteps) {
  StoppingRule rule{kSpec, 10, 30};
  const std::vector<double> samples{1, 1, 1};
  EXPECT_FALSE(rule.stops({samples, 1, 29, 1}));
  EXPECT_EQ(rule.stops({samples, 1, 30, 1}), "max-batches");
}

// At 10 samples the answer is not precise enough; the interval is computed again at 12.
TEST(Stopping, LooksAgainAfterAShareMoreSamples) {
  std::vector<double> samples{1, 2, 1, 2, 1, 2, 1, 2, 1, 2};
  StoppingRule rule{kSpec, 10, std::nullopt};
  EXPECT_FALSE(rule.stops(taken(samples, 1, 1)));
  EXPECT_FALSE(rule.stops(taken(std::vector<double>(11, 1.0), 1, 1)));
  EXPECT_EQ(rule.stops(taken(std::vector<double>(12, 1.0), 1, 1)), "max-noise");
}

}  // namespace
}  // namespace mpsbench::measure
