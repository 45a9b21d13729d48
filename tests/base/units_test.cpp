#include "base/units.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace mpsbench::base {
namespace {

using Numbers = std::vector<std::int64_t>;

TEST(WholeNumber, IsPlainDigits) {
  EXPECT_EQ(parse_whole_number("0"), 0);
  EXPECT_EQ(parse_whole_number("007"), 7);
  EXPECT_EQ(parse_whole_number("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
}

TEST(WholeNumber, RefusesEverythingElse) {
  for (const char* text : {"", "-1", "+1", " 1", "1 ", "1.0", "1e3", "0x10", "1_000", "1,000", "one",
                           "9223372036854775808", "99999999999999999999999", "\xEF\xBC\x91"}) {
    EXPECT_EQ(parse_whole_number(text), std::nullopt) << text;
  }
  EXPECT_EQ(parse_whole_number(std::string_view("1\0", 2)), std::nullopt);
}

TEST(Number, IsAFiniteDecimal) {
  EXPECT_EQ(parse_number("1e-3"), 1e-3);
  EXPECT_EQ(parse_number("-2.5E+2"), -250);
  EXPECT_EQ(parse_number(".5"), 0.5);
  EXPECT_EQ(parse_number("5."), 5);
  for (const char* text :
       {"", "-", ".", "e5", "1e", "1e+", "nan", "inf", "1e999", "0x1p3", "1.2.3", "--1", "+1", "1,5", " 1", "1 "}) {
    EXPECT_EQ(parse_number(text), std::nullopt) << text;
  }
}

TEST(Duration, HasAUnitOrIsInSeconds) {
  EXPECT_DOUBLE_EQ(*parse_duration_seconds("500ms"), 0.5);
  EXPECT_DOUBLE_EQ(*parse_duration_seconds("250us"), 250e-6);
  EXPECT_EQ(parse_duration_seconds("8s"), 8);
  EXPECT_EQ(parse_duration_seconds("2m"), 120);
  EXPECT_EQ(parse_duration_seconds("1.5h"), 5400);
  EXPECT_EQ(parse_duration_seconds("0.25"), 0.25);
  EXPECT_EQ(parse_duration_seconds("0"), 0);
  EXPECT_EQ(parse_duration_seconds("1e9"), 1e9);
}

TEST(Duration, RefusesOtherUnitsNegativeAndEndlessOnes) {
  for (const char* text :
       {"", "s", "ms", "-1s", "1 s", "1S", "500MS", "1d", "1min", "1s2", "1.1e9", "1e6h", "infs", "nan"}) {
    EXPECT_EQ(parse_duration_seconds(text), std::nullopt) << text;
  }
}

TEST(ByteSize, HasABinaryUnitOrIsInBytes) {
  EXPECT_EQ(parse_byte_size("25MiB"), 25 << 20);
  EXPECT_EQ(parse_byte_size("512KiB"), 512 << 10);
  EXPECT_EQ(parse_byte_size("2GiB"), std::int64_t{2} << 30);
  EXPECT_EQ(parse_byte_size("1000"), 1000);
  for (const char* text :
       {"", "0", "0MiB", "MiB", "-1", "1.5MiB", "1MB", "1mib", "1 MiB", "1MiBKiB", "1025GiB", "9223372036854775808"})
    EXPECT_EQ(parse_byte_size(text), std::nullopt) << text;
}

TEST(ByteSize, IsWrittenAsShortAsItCanBeRead) {
  for (const char* text : {"25MiB", "1KiB", "1GiB", "1536KiB", "1000", "1"})
    EXPECT_EQ(byte_size_text(parse_byte_size(text).value()), text);
  EXPECT_EQ(byte_size_text(1 << 20), "1MiB");
}

TEST(Ratio, IsAShareOrPercent) {
  EXPECT_DOUBLE_EQ(*parse_ratio("1%"), 0.01);
  EXPECT_EQ(parse_ratio("0.01"), 0.01);
  EXPECT_DOUBLE_EQ(*parse_ratio("0.5%"), 0.005);
  EXPECT_EQ(parse_ratio("150%"), 1.5);
  for (const char* text : {"", "%", "-1%", "-0.1", "1%%", "1 %", "1ppm", "inf%", "1", "2.5"}) {
    EXPECT_EQ(parse_ratio(text), std::nullopt) << text;
  }
}

TEST(WholeNumberList, TakesNumbersAndRangesInTheOrderWritten) {
  EXPECT_EQ(parse_whole_number_list("32,1,8"), (Numbers{32, 1, 8}));
  EXPECT_EQ(parse_whole_number_list("1-4"), (Numbers{1, 2, 3, 4}));
  EXPECT_EQ(parse_whole_number_list("1-64*2"), (Numbers{1, 2, 4, 8, 16, 32, 64}));
  EXPECT_EQ(parse_whole_number_list("4-16+4"), (Numbers{4, 8, 12, 16}));
  EXPECT_EQ(parse_whole_number_list("1-8*2,100,5-6"), (Numbers{1, 2, 4, 8, 100, 5, 6}));
}

TEST(WholeNumberList, EndsARangeAtTheLastValueThatIsInIt) {
  EXPECT_EQ(parse_whole_number_list("1-63*2"), (Numbers{1, 2, 4, 8, 16, 32}));
  EXPECT_EQ(parse_whole_number_list("3-100*10"), (Numbers{3, 30}));
  EXPECT_EQ(parse_whole_number_list("4-15+4"), (Numbers{4, 8, 12}));
  EXPECT_EQ(parse_whole_number_list("7-7"), (Numbers{7}));
  EXPECT_EQ(parse_whole_number_list("7-7*2"), (Numbers{7}));
  EXPECT_EQ(parse_whole_number_list("1-5+100"), (Numbers{1}));
}

TEST(WholeNumberList, RefusesWhatIsNotAList) {
  for (const char* text :
       {"",    ",",       "1,",      ",1",    "1,,2",  "0",     "1,0",  "-1",   "1-",
        "-",   "8-1",     "0-4",     "1-8*1", "1-8*0", "1-8+0", "1-8*", "1-8+", "1*8",
        "1+8", "1-8*2*2", "1-8+2-1", "1 - 8", "1--8",  "1.5",   "a",    "1-b",  "9223372036854775808"}) {
    EXPECT_EQ(parse_whole_number_list(text), std::nullopt) << text;
  }
}

TEST(WholeNumberList, DoesNotOverflow) {
  const auto doubled = parse_whole_number_list("1-9223372036854775807*2");
  ASSERT_TRUE(doubled);
  EXPECT_EQ(doubled->size(), 63U);
  EXPECT_EQ(doubled->back(), std::int64_t{1} << 62);
  EXPECT_EQ(parse_whole_number_list("9223372036854775806-9223372036854775807"),
            (Numbers{9223372036854775806, 9223372036854775807}));
  EXPECT_EQ(parse_whole_number_list("1-9223372036854775807+9223372036854775807"), (Numbers{1}));
}

TEST(WholeNumberList, IsOfTenThousandAtMost) {
  EXPECT_EQ(parse_whole_number_list("1-10000")->size(), 10'000U);
  EXPECT_EQ(parse_whole_number_list("1-10001"), std::nullopt);
  EXPECT_EQ(parse_whole_number_list("1-9223372036854775807"), std::nullopt);
  EXPECT_EQ(parse_whole_number_list("1-10000,1"), std::nullopt);
}

TEST(SplitList, RefusesEmptyItems) {
  EXPECT_EQ(split_list("a"), (std::vector<std::string>{"a"}));
  EXPECT_EQ(split_list("a,b c,d"), (std::vector<std::string>{"a", "b c", "d"}));
  EXPECT_EQ(split_list(R"(a\,b,c)"), (std::vector<std::string>{"a,b", "c"}));
  EXPECT_EQ(split_list(R"(\,,\\,a\b)"), (std::vector<std::string>{",", R"(\)", R"(a\b)"}));
  for (const char* text : {"", ",", "a,", ",a", "a,,b"}) EXPECT_EQ(split_list(text), std::nullopt) << text;
  for (const std::string text : {"a", "a,b", R"(a\,b)", R"(\)", R"(a\)", ",", R"(\\,,)"})
    EXPECT_EQ(split_list("x," + list_item(text) + ",y"), (std::vector<std::string>{"x", text, "y"})) << text;
  std::string longest = "a";
  for (int i = 1; i < 10'000; ++i) longest += ",a";
  EXPECT_EQ(split_list(longest)->size(), 10'000U);
  EXPECT_EQ(split_list(longest + ",a"), std::nullopt);
}

TEST(FormatDuration, HasThreeDigitsBelowAMinuteAndNeverAThousandOrSixtyOfAUnit) {
  for (const auto& [seconds, text] : {std::pair{0.1412, "141 ms"},
                                      {0.00981, "9.81 ms"},
                                      {1.5, "1.50 s"},
                                      {22.75e-6, "22.8 µs"},
                                      {3e-9, "3.00 ns"},
                                      {0, "0 ns"},
                                      {0.9994e-6, "999 ns"},
                                      {0.9996e-6, "1.00 µs"},
                                      {0.9994e-3, "999 µs"},
                                      {0.9996e-3, "1.00 ms"},
                                      {0.9994, "999 ms"},
                                      {0.9996, "1.00 s"},
                                      {59.94, "59.9 s"},
                                      {59.96, "1 min 0 s"},
                                      {221, "3 min 41 s"},
                                      {119.6, "2 min 0 s"},
                                      {3599.4, "59 min 59 s"},
                                      {3599.6, "1 h 0 min"},
                                      {3600 + 59 * 60 + 31, "2 h 0 min"},
                                      {100 * 3600, "100 h 0 min"},
                                      {3.6e12, "1000000000 h 0 min"},
                                      {1e30, "1e+30 s"},
                                      {std::numeric_limits<double>::infinity(), "inf s"}})
    EXPECT_EQ(format_duration(seconds), text);
}

TEST(FormatBytes, UsesBinaryUnits) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(999), "999 B");
  EXPECT_EQ(format_bytes(1000), "1.0 KiB");
  EXPECT_EQ(format_bytes(1024), "1.0 KiB");
  EXPECT_EQ(format_bytes(6.1 * 1024 * 1024 * 1024), "6.1 GiB");
  EXPECT_EQ(format_bytes(553e6), "527 MiB");
  EXPECT_EQ(format_bytes(99.94 * 1024), "99.9 KiB");
  EXPECT_EQ(format_bytes(99.96 * 1024), "100 KiB");
  EXPECT_EQ(format_bytes(999.4 * 1024), "999 KiB");
  EXPECT_EQ(format_bytes(999.6 * 1024), "1.0 MiB");
  EXPECT_EQ(format_bytes(5e18), "4547474 TiB");
}

TEST(FormatCount, GroupsThousands) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1000), "1,000");
  EXPECT_EQ(format_count(138'357'544), "138,357,544");
  EXPECT_EQ(format_count(-1234), "-1,234");
  EXPECT_EQ(format_count(-123), "-123");
  EXPECT_EQ(format_count(std::numeric_limits<std::int64_t>::min()), "-9,223,372,036,854,775,808");
}

TEST(NumberText, HasOnlyTheDigitsThatItNeeds) {
  for (const auto& [value, text] : {std::pair{50.0, "50"}, {99.9, "99.9"}, {-4.0, "-4"}, {1e-6, "1e-06"}})
    EXPECT_EQ(number_text(value), text);
}

TEST(FormatSignificant, RoundsBeforeItCountsDigits) {
  EXPECT_EQ(format_significant(226.58, 4), "226.6");
  EXPECT_EQ(format_significant(0.8305, 2), "0.83");
  EXPECT_EQ(format_significant(1234, 2), "1200");
  EXPECT_EQ(format_significant(99.96, 3), "100");
  EXPECT_EQ(format_significant(9.996, 3), "10.0");
  EXPECT_EQ(format_significant(0.0009996, 3), "0.00100");
  EXPECT_EQ(format_significant(-1.26, 2), "-1.3");
  EXPECT_EQ(format_significant(0, 3), "0");
}

}  // namespace
}  // namespace mpsbench::base
