#include "schema/rank.hpp"

#include "schema/launch.hpp"
#include "schema/round_trip.hpp"
#include "schema/samples.hpp"

#include <vector>

namespace mpsbench::schema {

namespace {

using tests::expect_exact_keys;
using tests::expect_round_trip;
using tests::json;
using tests::refusal;
using tests::reparsed;

TEST(Status, HasANameForEachValue) {
  for (const Status status : {Status::ok, Status::oom, Status::timeout, Status::crashed, Status::unsupported,
                              Status::failed, Status::skipped, Status::interrupted}) {
    const json name = to_string(status);
    EXPECT_EQ(read_name<Status>(base::Reader(name, "f.json")), status);
  }
  EXPECT_EQ(to_string(Status::oom), "oom");
  EXPECT_EQ(refusal("fine", read_name<Status>),
            "f.json: $: unknown status \"fine\"; known: ok, oom, timeout, crashed, unsupported, failed, skipped, "
            "interrupted");
}

TEST(Failure, GoesThroughJson) {
  const Failure failure{"signal", "killed", ""};
  EXPECT_EQ(expect_round_trip(failure, from_json<Failure>).message, "killed");
  expect_exact_keys(reparsed(to_json(failure)), from_json<Failure>);
}

using tests::contains;
using tests::with;

Launch of_two_ranks() {
  Launch launch = tests::full_launch();
  launch.ranks = {{.rank = 0,
                   .device = "cuda:0",
                   .status = Status::ok,
                   .failure = {},
                   .first_step_seconds = 0.25,
                   .peak_resident_bytes = 1000,
                   .peak_device_bytes = 2000,
                   .peak_reserved_bytes = 3000,
                   .samples_seconds = {0.1, 0.2},
                   .compute_step_seconds = 0.05},
                  {.rank = 1,
                   .device = "cuda:1",
                   .device_name = "NVIDIA H100",
                   .host = "other",
                   .status = Status::oom,
                   .failure = Failure{"oom", "needs 14 GiB", "last words"},
                   .first_step_seconds = {},
                   .peak_resident_bytes = 4000,
                   .peak_device_bytes = {},
                   .peak_reserved_bytes = {},
                   .sensors = {sensor_record(sensor::kGpuEnergy, 640)},
                   .sensor_notes = {{sensor::kGpuThrottled, "too old"}}}};
  return launch;
}

TEST(Ranks, AreAbsentWhereThereIsOneProcess) {
  EXPECT_FALSE(reparsed(to_json(tests::full_launch())).contains("ranks"));
  EXPECT_TRUE(expect_round_trip(tests::full_launch(), from_json<Launch>).ranks.empty());
}

TEST(Ranks, GoThroughJson) {
  const Launch launch = expect_round_trip(of_two_ranks(), from_json<Launch>);
  ASSERT_EQ(launch.ranks.size(), 2U);
  EXPECT_EQ(launch.ranks[0].first_step_seconds, 0.25);
  EXPECT_EQ(launch.ranks[0].peak_reserved_bytes, 3000);
  EXPECT_EQ(launch.ranks[0].samples_seconds, (std::vector{0.1, 0.2}));
  EXPECT_EQ(launch.ranks[0].compute_step_seconds, 0.05);
  EXPECT_EQ(launch.ranks[1].device_name, "NVIDIA H100");
  EXPECT_EQ(launch.ranks[1].host, "other");
  EXPECT_EQ(sensor_value(launch.ranks[1].sensors, sensor::kGpuEnergy), 640);
  EXPECT_EQ(launch.ranks[1].sensor_notes.at(sensor::kGpuThrottled), "too old");
  EXPECT_FALSE(launch.ranks[0].failure || launch.ranks[0].host || launch.ranks[1].compute_step_seconds);
  EXPECT_EQ(launch.ranks[1].rank, 1);
  EXPECT_EQ(launch.ranks[1].device, DeviceId("cuda:1"));
  EXPECT_EQ(launch.ranks[1].status, Status::oom);
  EXPECT_EQ(launch.ranks[1].failure->detail, "last words");
  EXPECT_EQ(launch.ranks[1].peak_resident_bytes, 4000);
  EXPECT_FALSE(launch.ranks[1].peak_device_bytes);
}

TEST(Ranks, LackWhatTheyDoNotKnow) {
  const json document = reparsed(to_json(of_two_ranks()));
  EXPECT_FALSE(document.at("ranks").at(0).contains("host"));
  for (const char* key : {"samples_seconds", "compute_step_seconds"})
    EXPECT_FALSE(document.at("ranks").at(1).contains(key)) << key;
}

TEST(Ranks, HaveExactlyTheirKeys) {
  const json good = reparsed(to_json(of_two_ranks()));
  EXPECT_TRUE(contains(refusal(with(good, "/ranks/1/place", "b"), from_json<Launch>), "$.ranks[1]"));
  EXPECT_TRUE(contains(refusal(with(good, "/ranks/0/samples_seconds/1", -1), from_json<Launch>),
                       "$.ranks[0].samples_seconds[1]"));
  EXPECT_TRUE(contains(refusal(with(good, "/ranks/1/status", "well"), from_json<Launch>), "unknown status"));
  EXPECT_TRUE(contains(refusal(with(good, "/ranks/0/rank", -1), from_json<Launch>), "$.ranks[0].rank"));
  EXPECT_TRUE(contains(refusal(with(good, "/ranks/0/first_step_seconds", -1), from_json<Launch>),
                       "$.ranks[0].first_step_seconds"));
}

}  // namespace

}  // namespace mpsbench::schema
