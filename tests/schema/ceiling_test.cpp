#include "schema/ceiling.hpp"

#include "schema/round_trip.hpp"
#include "schema/samples.hpp"

namespace mpsbench::schema {
namespace {

TEST(Ceiling, GoesThroughJson) {
  const Ceiling full = tests::full_ceiling();
  EXPECT_EQ(tests::expect_round_trip(full, from_json<Ceiling>), full);
  tests::expect_exact_keys(tests::reparsed(to_json(full)), from_json<Ceiling>, {"/bus_bytes_per_second"},
                           {"/matmul_flops_per_second", "/bus_bytes_per_second"});
  const Ceiling none = tests::expect_round_trip(Ceiling{}, from_json<Ceiling>);
  EXPECT_FALSE(none.threads || none.bytes_per_second);
}

TEST(Ceiling, RefusesRatesThatAreNone) {
  const tests::json good = tests::reparsed(to_json(tests::full_ceiling()));
  for (const char* pointer : {"/matmul_flops_per_second/fp32", "/bytes_per_second", "/bus_bytes_per_second/2"}) {
    for (const tests::json& bad : {tests::json(0), tests::json(-1.5), tests::json("fast")}) {
      EXPECT_TRUE(tests::contains(tests::refusal(tests::with(good, pointer, bad), from_json<Ceiling>), ": expected "))
          << pointer << bad;
    }
  }
}

TEST(Ceiling, CountsDevicesFromTwo) {
  tests::json bad = tests::reparsed(to_json(tests::full_ceiling()));
  bad["bus_bytes_per_second"] = {{"1", 1e9}};
  EXPECT_TRUE(tests::contains(tests::refusal(bad, from_json<Ceiling>), "expected a number of devices as the key"));
}

}  // namespace
}  // namespace mpsbench::schema
