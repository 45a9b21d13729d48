#include "schema/launch.hpp"

#include "schema/round_trip.hpp"
#include "schema/samples.hpp"

namespace mpsbench::schema {
namespace {

using tests::contains;
using tests::expect_exact_keys;
using tests::expect_round_trip;
using tests::full_launch;
using tests::json;
using tests::refusal;
using tests::reparsed;
using tests::with;
using tests::without;

TEST(Launch, GoesThroughJsonWithoutLosingABit) {
  const Launch launch = expect_round_trip(full_launch(), from_json<Launch>);
  EXPECT_EQ(launch.samples_seconds, full_launch().samples_seconds);
  EXPECT_EQ(launch.losses, full_launch().losses);
  EXPECT_EQ(launch.failure->detail, "line 1\nline 2");
  EXPECT_EQ(launch.setup_seconds->data, 0.125);
  EXPECT_EQ(launch.epochs.at(0).rows, 640);
  EXPECT_EQ(launch.sensors.at(1).max, 3.5e9);
  EXPECT_EQ(launch.sensor_notes.at("cpu_energy"), "no RAPL here");
}

TEST(Launch, WritesNullForWhatItHasNot) {
  const json document = reparsed(to_json(Launch{}));
  for (const char* key : {"failure", "first_step_seconds", "setup_seconds", "peak_resident_bytes", "peak_device_bytes",
                          "peak_reserved_bytes", "enqueue_seconds", "self_test", "event_check", "step_parts"}) {
    EXPECT_TRUE(document.at(key).is_null()) << key;
  }
  for (const char* key : {"samples_seconds", "latency_samples_seconds", "warmup_samples_seconds", "unmet", "losses",
                          "epochs", "sensors", "event_samples_seconds"}) {
    EXPECT_EQ(document.at(key), json::array()) << key;
  }
  const Launch back = expect_round_trip(Launch{}, from_json<Launch>);
  EXPECT_FALSE(back.failure || back.setup_seconds || back.first_step_seconds || back.peak_device_bytes);
}

TEST(Launch, HasExactlyItsKeys) {
  expect_exact_keys(reparsed(to_json(full_launch())), from_json<Launch>,
                    {"/working_threads", "/sensors/1/min", "/sensors/1/max"}, {"/backend", "/sensor_notes"});
}

TEST(Launch, KnowsWhatAveragingCostsIfItAverages) {
  EXPECT_FALSE(reparsed(to_json(full_launch())).contains("communication"));
  Launch launch = full_launch();
  launch.communication = Communication{0.5, 0.125, 102'400, 3};
  const Launch back = expect_round_trip(launch, from_json<Launch>);
  ASSERT_TRUE(back.communication);
  EXPECT_EQ(back.communication->compute_step_seconds, 0.5);
  EXPECT_EQ(back.communication->average_seconds, 0.125);
  EXPECT_EQ(back.communication->bytes, 102'400);
  EXPECT_EQ(back.communication->buckets, 3);
  const json good = reparsed(to_json(launch));
  EXPECT_TRUE(contains(refusal(with(good, "/communication/average_seconds", -1), from_json<Launch>),
                       "$.communication.average_seconds"));
  EXPECT_TRUE(contains(refusal(without(good, "/communication/bytes"), from_json<Launch>), "$.communication"));
}

TEST(Launch, RefusesUnknownNames) {
  const json good = reparsed(to_json(full_launch()));
  EXPECT_EQ(refusal(with(good, "/status", "fine"), from_json<Launch>).find("f.json: $.status: unknown status"), 0U);
  EXPECT_EQ(refusal(with(good, "/evaluations/0/part", "all"), from_json<Launch>),
            "f.json: $.evaluations[0].part: unknown part \"all\"; known: train, validation, test");
}

TEST(Launch, RefusesSamplesThatAreNoNumbers) {
  const json good = reparsed(to_json(full_launch()));
  EXPECT_EQ(refusal(with(good, "/samples_seconds/2", nullptr), from_json<Launch>),
            "f.json: $.samples_seconds[2]: expected a number, found null");
  EXPECT_TRUE(contains(refusal(with(good, "/losses/0", "nan"), from_json<Launch>), "$.losses[0]: expected a number"));
  EXPECT_TRUE(contains(refusal(with(good, "/steps_per_sample", -1), from_json<Launch>), "$.steps_per_sample"));
  EXPECT_TRUE(contains(refusal(with(good, "/sensors/0/value", nullptr), from_json<Launch>), "$.sensors[0].value"));
}

}  // namespace
}  // namespace mpsbench::schema
