#include "schema/measure_spec.hpp"

#include <gtest/gtest.h>

namespace mpsbench::schema {
namespace {

using Kind = WarmupSpec::Kind;

TEST(Warmup, IsAutomaticStepsOrATime) {
  struct Row {
    const char* text;
    Kind kind;
    double amount;
    const char* written;
  };
  for (const Row& row : {Row{"auto", Kind::automatic, 0, "auto"}, Row{"25", Kind::steps, 25, "25"},
                         Row{"0", Kind::steps, 0, "0"}, Row{"2s", Kind::seconds, 2, "2.0s"},
                         Row{"500ms", Kind::seconds, 0.5, "0.5s"}, Row{"1m", Kind::seconds, 60, "60.0s"}}) {
    const WarmupSpec warmup = parse_warmup(row.text).value();
    EXPECT_EQ(warmup.kind, row.kind) << row.text;
    EXPECT_EQ(warmup.amount, row.amount) << row.text;
    EXPECT_EQ(to_string(warmup), row.written);
    EXPECT_EQ(to_string(parse_warmup(row.written).value()), row.written);
  }
  for (const char* text : {"", "Auto", "1.5", "-1", "-1s", "2 s", "s", "1%", "auto2", "1d"})
    EXPECT_FALSE(parse_warmup(text)) << text;
}

}  // namespace
}  // namespace mpsbench::schema
