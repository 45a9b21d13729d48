#include "report/host/torch_version.hpp"

#include <gtest/gtest.h>

namespace mpsbench::report {
namespace {

TEST(TorchVersion, Release) {
  const auto version = parse_torch_version("2.13.0+cpu");
  ASSERT_TRUE(version);
  EXPECT_EQ(version->major, 2);
  EXPECT_EQ(version->minor, 13);
  EXPECT_EQ(version->patch, 0);
  EXPECT_EQ(version->pre, "");
  EXPECT_EQ(version->build, "cpu");
}

TEST(TorchVersion, DevelopmentBuilds) {
  const auto nightly = parse_torch_version("1.13.0.dev20220522+cu102");
  ASSERT_TRUE(nightly);
  EXPECT_EQ(nightly->minor, 13);
  EXPECT_EQ(nightly->pre, "dev20220522");
  EXPECT_EQ(nightly->build, "cu102");
  const auto source = parse_torch_version("2.9.0a0+git1234abc");
  ASSERT_TRUE(source);
  EXPECT_EQ(source->pre, "a0");
  EXPECT_EQ(source->build, "git1234abc");
  EXPECT_TRUE(parse_torch_version("2.11.0rc4"));
}

TEST(TorchVersion, OrdersByMajorThenMinor) {
  EXPECT_TRUE(parse_torch_version("2.9.0")->at_least(2, 9));
  EXPECT_TRUE(parse_torch_version("2.10.1")->at_least(2, 9));
  EXPECT_TRUE(parse_torch_version("3.0.0")->at_least(2, 9));
  EXPECT_FALSE(parse_torch_version("2.8.9")->at_least(2, 9));
  EXPECT_FALSE(parse_torch_version("1.13.0.dev20220522+cu102")->at_least(2, 9));
}

TEST(TorchVersion, RefusesOtherText) {
  for (const char* text : {"", "2", "2.13", "2.13.", "v2.13.0", "2.13.0+", "2.13.0 cpu", "2.13.0.", "2.13.0.5",
                           "99999999999.1.0", "2.-1.0", "2.13.0+cpu;rm"}) {
    EXPECT_FALSE(parse_torch_version(text)) << text;
  }
}

}  // namespace
}  // namespace mpsbench::report
