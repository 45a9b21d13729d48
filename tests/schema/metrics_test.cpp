#include "schema/metrics.hpp"

#include "schema/report_schema.hpp"
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

TEST(Metrics, StandInTheReportsSchemaAsInTheTable) {
  tests::expect_in_report_schema("metrics", metrics_json_schema());
}

TEST(Metrics, HaveAllAMeaningAndARelease) {
  for (const MetricField& metric : metric_fields()) {
    EXPECT_NE(std::string(metric.about.meaning), "") << metric.key;
    EXPECT_NE(std::string(metric.about.since), "") << metric.key;
  }
}

TEST(Metrics, GoThroughJsonWithExactlyTheirKeys) {
  const Metrics metrics = tests::expect_round_trip(tests::full_result().metrics, read_metrics);
  EXPECT_EQ(metrics.step_seconds.ci95->high, 0.101);
  EXPECT_EQ(metrics.epoch_seconds.kind, "measured");
  tests::expect_exact_keys(full(), read_metrics,
                           {"/drift_ratio",
                            "/rows_per_second/kind",
                            "/mean_rows_per_second",
                            "/projected_epochs_seconds",
                            "/loop_seconds",
                            "/rows_per_second_per_1000_dollars",
                            "/training_seconds",
                            "/test_seconds",
                            "/total_seconds",
                            "/training_accuracy",
                            "/forward_seconds",
                            "/backward_seconds",
                            "/update_seconds",
                            "/scaling_efficiency",
                            "/communication_exposed_seconds",
                            "/communication_hidden_seconds",
                            "/communication_ceiling_share",
                            "/live_bytes_per_step",
                            "/validation_accuracy",
                            "/test_accuracy",
                            "/energy_method",
                            "/step_seconds/percentiles",
                            "/latency_seconds/percentiles"},
                           {"/step_seconds/percentiles", "/latency_seconds/percentiles"});
}

TEST(Metrics, OfBeforeTheMethodHaveNone) {
  const json old = without(full(), "/energy_method");
  EXPECT_EQ(read_metrics(base::Reader(old, "f.json")).energy_method, "none");
}

TEST(PercentileKey, HasOnlyTheDigitsThatItNeeds) {
  EXPECT_EQ(percentile_key(50), "50");
  EXPECT_EQ(percentile_key(99.9), "99.9");
}

TEST(Metrics, AreWithinTheirBounds) {
  EXPECT_EQ(refusal(with(full(), "/test_accuracy", 1.5), read_metrics),
            "f.json: $.test_accuracy: expected a number from 0 to 1, found 1.5");
  EXPECT_EQ(refusal(with(full(), "/epoch_seconds/kind", "guessed"), read_metrics),
            "f.json: $.epoch_seconds.kind: expected measured or projected");
  EXPECT_EQ(refusal(with(full(), "/rows_per_second/kind", "guessed"), read_metrics),
            "f.json: $.rows_per_second.kind: expected median-step or mean-step or epochs or loop");
  EXPECT_EQ(refusal(with(full(), "/step_seconds/ci95", {2, 1}), read_metrics),
            "f.json: $.step_seconds.ci95: expected [low, high]");
}

}  // namespace
}  // namespace mpsbench::schema
