#include "schema/round_trip.hpp"
#include "schema/run_info.hpp"

#include <set>

namespace mpsbench::schema {
namespace {

using tests::json;

Purpose purpose_of(const json& document) {
  return read_name<Purpose>(base::Reader(document, "f.json"));
}

TEST(Purpose, EachHasANameThatIsReadBack) {
  std::set<std::string> names;
  for (const PurposeRow& row : ClosedSet<Purpose>::kRows) {
    EXPECT_EQ(purpose_of(to_string(row.value)), row.value);
    EXPECT_TRUE(names.insert(to_string(row.value)).second) << row.name;
  }
  EXPECT_EQ(names, (std::set<std::string>{"baseline", "calibrate", "plain", "search", "versus"}));
}

TEST(Purpose, AnUnknownNameIsRefused) {
  EXPECT_EQ(tests::refusal(json("fun"), read_name<Purpose>),
            "f.json: $: unknown purpose \"fun\"; known: plain, baseline, versus, calibrate, search");
  EXPECT_EQ(tests::refusal(json("Plain"), read_name<Purpose>),
            "f.json: $: unknown purpose \"Plain\" (did you mean 'plain'?); known: plain, baseline, versus, "
            "calibrate, search");
  EXPECT_EQ(tests::refusal(json(1), read_name<Purpose>), "f.json: $: expected a string, found 1");
}

TEST(Purpose, OnlyTurnsCannotBeGoneOnWith) {
  for (const PurposeRow& row : ClosedSet<Purpose>::kRows)
    EXPECT_EQ(row_of(row.value).is_resumable, row.value != Purpose::versus) << row.name;
}

}  // namespace
}  // namespace mpsbench::schema
