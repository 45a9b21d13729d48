#include "base/json_file.hpp"

#include "support/errors.hpp"
#include "support/scratch.hpp"

#include <nlohmann/json.hpp>

#include <limits>

namespace mpsbench::base {
namespace {

using tests::contains;
using tests::Scratch;
using tests::usage_error_of;

std::string parse_error(const std::string& text) {
  return usage_error_of([&] { (void)parse_json(text, "a.json"); });
}

std::string nested(std::size_t depth) {
  return std::string(depth, '[') + std::string(depth, ']');
}

TEST(ParseJson, ReadsAnObjectAndNamesFileAndPlaceOfASyntaxError) {
  EXPECT_EQ(parse_json("\xEF\xBB\xBF {\"a\": [1, 2.5, \"ü\\n\"]} ", "a.json")["a"][2], "ü\n");
  const std::string message = parse_error("{\n  \"a\": ,\n}");
  EXPECT_EQ(message.rfind("a.json: not valid JSON: parse error at line 2, column 8", 0), 0U) << message;
}

TEST(ParseJson, RefusesWhatIsNotJson) {
  for (const char* text :
       {"",       "   ",        "{",           "[1, 2", "{\"a\" 1}", "{'a': 1}", "[1,]",    "{\"a\": 1} x", "[] []",
        "[NaN]",  "[Infinity]", "[-Infinity]", "[+1]",  "[01]",      "[.5]",     "[1e999]", "// note\n{}",  "[\"\t\"]",
        "\"open", "hello",      "PK\x03\x04"}) {
    EXPECT_TRUE(contains(parse_error(text), "a.json: not valid JSON: ")) << text;
  }
}

TEST(ParseJson, RefusesWhatStandsBehindANulByte) {
  EXPECT_EQ(parse_error(std::string("{}\0 x", 5)), "a.json: not valid JSON: it contains a NUL byte");
}

TEST(ParseJson, RefusesBadUtf8) {
  for (const char* text :
       {"[\"\xFF\"]", "[\"\xC3\"]", "[\"\xC0\xAF\"]", "[\"\xED\xA0\x80\"]", "[\"\\ud800\"]", "\xFF\xFE[\0"}) {
    EXPECT_TRUE(contains(parse_error(text), "not valid JSON")) << text;
  }
}

TEST(ParseJson, RefusesAKeyThatStandsTwice) {
  EXPECT_EQ(parse_error(R"({"a": {"k": 1, "k": 2}})"), "a.json: the key \"k\" appears twice in one object");
  EXPECT_TRUE(contains(parse_error(R"({"k": 1, "b": {"k": 1}, "k": 2})"), "appears twice"));
  EXPECT_TRUE(contains(parse_error("{\"k\": 1, \"\\u006b\": 2}"), "appears twice"));
  EXPECT_EQ(parse_json(R"({"a": {"a": [{"a": 1}, {"a": 2}]}, "b": {"a": 3}})", "a.json")["b"]["a"], 3);
}

TEST(ParseJson, TakesDepth64AndNotMore) {
  EXPECT_TRUE(parse_json(nested(64), "a.json").is_array());
  EXPECT_EQ(parse_error(nested(65)), "a.json: nested deeper than 64 levels");
  std::string objects;
  for (int i = 0; i < 65; ++i) objects += "{\"a\":";
  EXPECT_EQ(parse_error(objects), "a.json: nested deeper than 64 levels");
}

TEST(ParseJson, CountsNoBracketsInsideStrings) {
  const std::string text = "[\"" + std::string(200, '[') + "\\\"" + std::string(200, '{') + "\\\\\"]";
  EXPECT_EQ(parse_json(text, "a.json").size(), 1U);
  const std::string behind = "[\"\\\\\"," + nested(64) + "]";
  EXPECT_TRUE(contains(parse_error(behind), "nested deeper"));
}

TEST(ParseJson, RefusesVeryDeepNestingWithoutBuildingIt) {
  EXPECT_TRUE(contains(parse_error(nested(200'000)), "nested deeper"));
  EXPECT_TRUE(contains(parse_error(std::string(200'000, '[')), "nested deeper"));
}

TEST(ParseJson, KeepsItsMessageShort) {
  EXPECT_LT(parse_error("[\"" + std::string(100'000, 'x')).size(), 1000U);
  const std::string key = "\"" + std::string(100'000, 'k') + "\": 1";
  EXPECT_LT(parse_error("{" + key + ", " + key + "}").size(), 1000U);
}

TEST(ReadTextFile, SaysWhyItCannotRead) {
  const Scratch scratch;
  const std::string missing = (scratch / "none.json").string();
  EXPECT_EQ(usage_error_of([&] { (void)read_json_file(missing); }), missing + ": no such file");
  EXPECT_EQ(usage_error_of([&] { (void)read_json_file(scratch.root()); }),
            scratch.root().string() + ": is a folder, not a file");
  EXPECT_TRUE(contains(usage_error_of([] { (void)read_json_file("/dev/null"); }), "not a regular file"));
}

TEST(ReadTextFile, ReadsUpToItsLimit) {
  const Scratch scratch;
  const auto path = scratch.write("text", "12345");
  EXPECT_EQ(read_text_file(path, 5), "12345");
  EXPECT_EQ(usage_error_of([&] { (void)read_text_file(path, 4); }),
            path.string() + ": 5 bytes, more than the limit of 4");
  EXPECT_EQ(read_text_file(scratch.write("empty", ""), 0), "");
}

TEST(ReadJsonFile, RefusesMoreThanFourMebibytes) {
  const Scratch scratch;
  const auto path = scratch.write("big.json", "[]");
  std::filesystem::resize_file(path, (4U << 20U) + 1);
  EXPECT_TRUE(contains(usage_error_of([&] { (void)read_json_file(path); }), "more than the limit"));
}

TEST(ReadJsonFile, RefusesADefinitionThatNoReportCouldHold) {
  const Scratch scratch;
  const nlohmann::json deepest = read_json_file(scratch.write("deepest.json", nested(56)));
  const nlohmann::json report = {{"run", {{"definitions", {{"sha256", deepest}}}}}};
  EXPECT_EQ(read_large_json_file(scratch.write("report.json", to_text(report))), report);
  const auto deeper = scratch.write("deeper.json", nested(57));
  EXPECT_TRUE(contains(usage_error_of([&] { (void)read_json_file(deeper); }), "nested deeper than 56 levels"));
}

TEST(ReadJsonFile, NamesTheFile) {
  const Scratch scratch;
  const auto path = scratch.write("bad.json", "{");
  EXPECT_EQ(usage_error_of([&] { (void)read_json_file(path); }).rfind(path.string() + ": not valid JSON", 0), 0U);
  EXPECT_EQ(read_json_file(scratch.write("good.json", "{\"a\": 1}"))["a"], 1);
}

TEST(ToText, ReplacesBadUtf8AndWritesNullForWhatIsNotFinite) {
  EXPECT_EQ(to_text(nlohmann::json("a\xFF")), "\"a\xEF\xBF\xBD\"");
  EXPECT_EQ(to_text(nlohmann::json(std::numeric_limits<double>::quiet_NaN())), "null");
}

TEST(ToText, HoldsNothingThatSteersATerminal) {
  const nlohmann::ordered_json value = {{"\u009b", "é\x1b[2J\x7f\u0085\u202e\u2028\ufeff\uffff😀"}};
  const std::string text = to_text(value);
  EXPECT_EQ(text, "{\"\\u009b\":\"é\\u001b[2J\\u007f\\u0085\\u202e\\u2028\\ufeff\\uffff😀\"}");
  EXPECT_EQ(nlohmann::ordered_json::parse(text), value);
}

TEST(ToText, IsOneLineUnlessIndented) {
  const nlohmann::ordered_json value = {{"z", "line\nbreak"}, {"a", {1, 2}}};
  EXPECT_EQ(to_text(value), R"({"z":"line\nbreak","a":[1,2]})");
  EXPECT_EQ(to_text(nlohmann::ordered_json{{"z", 1}}, 1), "{\n \"z\": 1\n}");
}

}  // namespace
}  // namespace mpsbench::base
