#include "schema/status.hpp"

#include "schema/round_trip.hpp"

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
  EXPECT_EQ(
      refusal("fine", read_name<Status>),
      "f.json: $: unknown status \"fine\"; known: ok, oom, timeout, crashed, unsupported, failed, skipped, "
      "interrupted");
}

TEST(Failure, GoesThroughJson) {
  const Failure failure{"signal", "killed", ""};
  EXPECT_EQ(expect_round_trip(failure, read_failure).message, "killed");
  expect_exact_keys(reparsed(to_json(failure)), read_failure);
}

}  // namespace
}  // namespace mpsbench::schema
