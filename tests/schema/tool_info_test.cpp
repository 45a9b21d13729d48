#include "schema/tool_info.hpp"

#include <gtest/gtest.h>

#include <regex>

namespace mpsbench::schema {
namespace {

TEST(ToolInfo, SaysWhatThisBuildIs) {
  const ToolInfo tool = tool_info();
  EXPECT_EQ(tool.name, "mpsbench");
  EXPECT_TRUE(std::regex_match(tool.version, std::regex(R"(\d+\.\d+\.\d+)"))) << tool.version;
  EXPECT_FALSE(tool.build_type.empty());
  EXPECT_TRUE(std::regex_match(tool.compiler, std::regex(R"(\w+ \d+\.\d+.*)"))) << tool.compiler;
  EXPECT_EQ(tool.has_uncommitted_changes.has_value(), tool.git_commit.has_value());
  if (tool.git_commit) {
    EXPECT_TRUE(std::regex_match(*tool.git_commit, std::regex("[0-9a-f]{12,}")));
  }
}

TEST(ToolInfo, IsOneLineForVersion) {
  const ToolInfo tool = tool_info();
  EXPECT_EQ(
      version_text().rfind("mpsbench " + tool.version + " (" + tool.build_type + ", " + tool.compiler, 0),
      0U);
  EXPECT_EQ(version_text().back(), ')');
}

}  // namespace
}  // namespace mpsbench::schema
