#include "schema/metrics.hpp"

#include "schema/round_trip.hpp"
#include "schema/samples.hpp"

namespace mpsbench::schema {
namespace {

using tests::json;
using tests::refusal;
using tests::reparsed;
using tests::with;
using tests::without;

json full() {
  return reparsed(to_json(tests::full_result().metrics));
}

TEST(Metrics, HaveAllAMeaning) {
  for (const MetricField& metric : kMetricFields) {
    EXPECT_NE(std::string(metric.about.meaning), "") << metric.key;
  }
}

TEST(Metrics, GoThroughJsonWithExactlyTheirKeys) {
  const Metrics metrics = tests::expect_round_trip(tests::full_result().metrics, from_json<Metrics>);
  EXPECT_EQ(metrics.step_seconds.ci95->high, 0.101);
  EXPECT_EQ(metrics.epoch_seconds.kind, "measured");
  tests::expect_exact_keys(full(), from_json<Metrics>, {"/step_seconds/percentiles", "/latency_seconds/percentiles"},
                           {"/step_seconds/percentiles", "/latency_seconds/percentiles"});
}

TEST(PercentileKey, HasOnlyTheDigitsThatItNeeds) {
  EXPECT_EQ(percentile_key(50), "50");
  EXPECT_EQ(percentile_key(99.9), "99.9");
}

TEST(Metrics, AreWithinTheirBounds) {
  EXPECT_EQ(refusal(with(full(), "/test_accuracy", 1.5), from_json<Metrics>),
            "f.json: $.test_accuracy: expected a number from 0 to 1, found 1.5");
  EXPECT_EQ(refusal(with(full(), "/epoch_seconds/kind", "guessed"), from_json<Metrics>),
            "f.json: $.epoch_seconds.kind: expected measured or projected");
  EXPECT_EQ(refusal(with(full(), "/rows_per_second/kind", "guessed"), from_json<Metrics>),
            "f.json: $.rows_per_second.kind: expected median-step or mean-step or epochs or loop");
  EXPECT_EQ(refusal(with(full(), "/step_seconds/ci95", {2, 1}), from_json<Metrics>),
            "f.json: $.step_seconds.ci95: expected [low, high]");
}

}  // namespace
}  // namespace mpsbench::schema
