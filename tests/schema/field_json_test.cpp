#include "schema/field_json.hpp"

#include "schema/round_trip.hpp"

namespace mpsbench::schema {
namespace {

using tests::json;
using tests::refusal;

struct Wheel {
  std::string colour = "black";
  std::int64_t spokes = 12;
  std::optional<double> load;
  std::vector<std::string> marks;
};

constexpr const char* kColours[] = {"black", "red"};

}  // namespace

template <>
inline constexpr auto kFields<Wheel> =
    table(field<&Wheel::colour>({.meaning = "Of the rim.", .words = kColours}),
          field<&Wheel::spokes>({.meaning = "At least three.", .bounds = {.min = 3}}),
          field<&Wheel::load>({"What it bears.", "kg", {0, 200}}),
          field<&Wheel::marks>({.meaning = "Scratches.", .is_absent_when_empty = true}));

namespace {

Wheel read(base::Reader reader) {
  return from_json<Wheel>(std::move(reader));
}

TEST(FieldJson, WritesInTheTablesOrderAndReadsBack) {
  const Wheel wheel{"red", 36, 80.5, {"a"}};
  EXPECT_EQ(base::to_text(Json<Wheel>::write(wheel)), R"({"colour":"red","spokes":36,"load":80.5,"marks":["a"]})");
  const json document = tests::reparsed(Json<Wheel>::write(wheel));
  EXPECT_EQ(tests::reparsed(Json<Wheel>::write(read(base::Reader(document, "f.json")))), document);
}

TEST(FieldJson, AFieldThatIsAbsentWhenEmptyMayBeMissing) {
  const json old{{"colour", "red"}, {"spokes", 36}, {"load", nullptr}};
  EXPECT_TRUE(read(base::Reader(old, "f.json")).marks.empty());
  EXPECT_FALSE(read(base::Reader(old, "f.json")).load);
  EXPECT_EQ(refusal(tests::without(old, "/load"), read), "f.json: $: the key 'load' is missing");
  EXPECT_EQ(refusal(tests::with(old, "/mark", 1), read), "f.json: $: unknown key 'mark' (did you mean 'marks'?)");
}

TEST(FieldJson, RefusesWhatIsOutOfBounds) {
  const json good{{"colour", "red"}, {"spokes", 36}, {"load", 1}};
  EXPECT_EQ(refusal(tests::with(good, "/colour", "blue"), read), "f.json: $.colour: expected black or red");
  EXPECT_EQ(refusal(tests::with(good, "/load", 201), read),
            "f.json: $.load: expected a number from 0 to 200, found 201");
  EXPECT_TRUE(tests::contains(refusal(tests::with(good, "/spokes", 2), read), "a whole number from 3 to"));
}

TEST(FieldJson, DescribesItselfAsJsonSchema) {
  const json schema = Json<Wheel>::definition();
  EXPECT_EQ(schema.at("required"), (json{"colour", "spokes", "load"}));
  EXPECT_EQ(schema.at("additionalProperties"), false);
  const json& properties = schema.at("properties");
  EXPECT_EQ(properties.at("colour").at("enum"), (json{"black", "red"}));
  EXPECT_EQ(properties.at("load"), (json{{"type", {"number", "null"}},
                                         {"minimum", 0},
                                         {"maximum", 200},
                                         {"description", "What it bears."},
                                         {"x-unit", "kg"}}));
  EXPECT_EQ(properties.at("marks").at("items").at("type"), "string");
}

}  // namespace
}  // namespace mpsbench::schema
