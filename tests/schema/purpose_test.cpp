#include "schema/purpose.hpp"

#include "schema/round_trip.hpp"

#include <set>

namespace mpsbench::schema {
namespace {

using tests::json;

Purpose read(const json& document) {
  return read_purpose(base::Reader(document, "f.json"));
}

TEST(Purpose, EachHasANameThatIsReadBack) {
  std::set<std::string> names;
  for (const PurposeRow& row : kPurposes) {
    EXPECT_EQ(read(to_string(row.value)), row.value);
    EXPECT_TRUE(names.insert(to_string(row.value)).second) << row.name;
  }
  EXPECT_EQ(names, (std::set<std::string>{"baseline", "calibrate", "plain", "search", "versus"}));
}

TEST(Purpose, AnUnknownNameIsRefused) {
  EXPECT_EQ(tests::refusal(json("fun"), read_purpose), "f.json: $: unknown purpose \"fun\"");
  EXPECT_EQ(tests::refusal(json("Plain"), read_purpose), "f.json: $: unknown purpose \"Plain\"");
  EXPECT_EQ(tests::refusal(json(1), read_purpose), "f.json: $: expected a string, found 1");
}

TEST(Purpose, OnlyTurnsCannotBeGoneOnWith) {
  for (const PurposeRow& row : kPurposes)
    EXPECT_EQ(row_of(row.value).is_resumable, row.value != Purpose::versus) << row.name;
}

}  // namespace
}  // namespace mpsbench::schema
