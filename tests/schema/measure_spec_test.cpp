#include "schema/measure_spec.hpp"

#include "schema/round_trip.hpp"
#include "schema/samples.hpp"

namespace mpsbench::schema {
namespace {

using tests::contains;
using tests::expect_exact_keys;
using tests::expect_round_trip;
using tests::json;
using tests::refusal;
using tests::reparsed;
using tests::with;

using Kind = WarmupSpec::Kind;

TEST(Warmup, IsAutomaticStepsOrATime) {
  EXPECT_EQ(parse_warmup("auto")->kind, Kind::automatic);
  EXPECT_EQ(parse_warmup("25")->kind, Kind::steps);
  EXPECT_EQ(parse_warmup("25")->amount, 25);
  EXPECT_EQ(parse_warmup("0")->kind, Kind::steps);
  EXPECT_EQ(parse_warmup("2s")->kind, Kind::seconds);
  EXPECT_EQ(parse_warmup("500ms")->amount, 0.5);
  EXPECT_EQ(parse_warmup("1m")->amount, 60);
}

TEST(Warmup, IsNothingElse) {
  for (const char* text : {"", "Auto", "1.5", "-1", "-1s", "2 s", "s", "1%", "auto2", "1d"}) {
    EXPECT_FALSE(parse_warmup(text)) << text;
  }
}

TEST(Warmup, IsWrittenAsItIsRead) {
  for (const char* text : {"auto", "25", "0", "2.0s", "0.25s"}) {
    EXPECT_EQ(to_string(*parse_warmup(text)), text);
  }
  EXPECT_EQ(to_string(*parse_warmup("500ms")), "0.5s");
}

TEST(MeasureSpec, GoesThroughJson) {
  const MeasureSpec measure = expect_round_trip(tests::full_measure(), from_json<MeasureSpec>);
  EXPECT_EQ(measure.warmup.kind, Kind::seconds);
  EXPECT_EQ(measure.warmup.amount, 2.5);
  EXPECT_EQ(measure.min_samples, 7);
  expect_exact_keys(reparsed(to_json(tests::full_measure())), from_json<MeasureSpec>);
  expect_round_trip(MeasureSpec{}, from_json<MeasureSpec>);
}

TEST(MeasureSpec, RefusesWhatCannotBeMeant) {
  const json good = reparsed(to_json(tests::full_measure()));
  EXPECT_TRUE(contains(refusal(with(good, "/warmup", "soon"), from_json<MeasureSpec>), "$.warmup: expected auto, "));
  for (const char* key : {"/min_time_seconds", "/max_time_seconds", "/max_noise", "/min_samples"}) {
    EXPECT_TRUE(contains(refusal(with(good, key, -1), from_json<MeasureSpec>), ": expected ")) << key;
    EXPECT_TRUE(contains(refusal(with(good, key, nullptr), from_json<MeasureSpec>), ": expected ")) << key;
  }
  EXPECT_TRUE(contains(refusal(with(good, "/min_samples", 0), from_json<MeasureSpec>), "$.min_samples"));
  EXPECT_TRUE(contains(refusal(with(good, "/max_time_seconds", 1e10), from_json<MeasureSpec>), "$.max_time_seconds"));
}

}  // namespace
}  // namespace mpsbench::schema
