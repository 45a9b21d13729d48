#include "run/worker_build.hpp"

#include "run/support.hpp"
#include "schema/tool_info.hpp"

namespace mpsbench::run {
namespace {

using tests::contains;
using tests::usage_error_of;

schema::ToolInfo build(const std::string& version, const std::optional<std::string>& commit) {
  return {"mpsbench", version, commit, "Release", "GNU 12.2.0"};
}

TEST(BuildDifference, IsNoneWithinOneCommit) {
  EXPECT_FALSE(build_difference(build("1.2.3", "abc"), build("1.2.3", "abc")));
  EXPECT_FALSE(build_difference(build("1.2.3", "abc"), build("1.2.3", std::nullopt))) << "an archive's";
  EXPECT_FALSE(build_difference(build("1.2.3", std::nullopt), build("1.2.3", "abc")));
}

TEST(BuildDifference, OfVersionsIsRefused) {
  const BuildDifference found = build_difference(build("1.2.3", "abc"), build("1.2.4", "abc")).value();
  EXPECT_TRUE(found.is_refused);
  EXPECT_EQ(found.message, "this is mpsbench 1.2.3, but its worker is 1.2.4");
  EXPECT_TRUE(contains(found.cure, "pip install mpsbench==1.2.3")) << found.cure;
  EXPECT_TRUE(build_difference(build("1.2.3", "abc"), std::nullopt).value().is_refused);
}

TEST(BuildDifference, OfCommitsIsNamed) {
  const BuildDifference found = build_difference(build("1.2.3", "abc"), build("1.2.3", "def")).value();
  EXPECT_FALSE(found.is_refused);
  EXPECT_TRUE(contains(found.message, "commit abc, but its worker is of commit def")) << found.message;
  schema::ToolInfo changed = build("1.2.3", "abc");
  changed.has_uncommitted_changes = true;
  EXPECT_TRUE(build_difference(build("1.2.3", "abc"), changed));
}

TEST(OwnBuild, IsRequired) {
  schema::ToolInfo worker = schema::tool_info();
  require_own_build(worker);
  worker.version = "9.8.7";
  EXPECT_TRUE(
      contains(usage_error_of([&] { require_own_build(worker); }), "but its worker is 9.8.7; install"));
}

}  // namespace
}  // namespace mpsbench::run
