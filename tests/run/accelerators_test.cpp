#include "run/plan/accelerators.hpp"

#include "run/support.hpp"
#include "schema/host.hpp"

namespace mpsbench::run {

namespace {

TEST(Accelerators, AreNotAskedForUntilSomebodyWantsToKnow) {
  const tests::ScopedVariable worker("MPSBENCH_WORKER", "/nowhere/mpsbench-worker");
  Accelerators accelerators;
  const suite::DeviceList list = accelerators.list();
  EXPECT_TRUE(accelerators.known().empty());
  EXPECT_TRUE(accelerators.passed_over({}).empty());
  ASSERT_EQ(list().size(), 3U);
  EXPECT_TRUE(list()[0].usable);
  EXPECT_EQ(list()[0].device, schema::DeviceId("cpu"));
  EXPECT_TRUE(tests::contains(list()[1].reason, "/nowhere/mpsbench-worker")) << list()[1].reason;
}

TEST(Accelerators, AreAskedOfTheWorkerOnce) {
  const tests::ScopedVariable worker("MPSBENCH_WORKER", tests::fake_worker().c_str());
  Accelerators accelerators;
  const suite::DeviceList list = accelerators.list();
  const auto* first = &list();
  ASSERT_EQ(first->size(), 3U);
  EXPECT_EQ(first->front().name, "fake processor");
  EXPECT_EQ(&list(), first);
  EXPECT_TRUE(accelerators.known().empty()) << "the CPU is not an accelerator";
}

TEST(Accelerators, OfAnotherVersionAreRefused) {
  const tests::ScopedVariable worker("MPSBENCH_WORKER", tests::fake_worker().c_str());
  const tests::ScopedVariable script("MPSBENCH_FAKE_SESSION",
                                     R"({"rules":[{"case":"probe","actions":[{"probe":{"version":"9.8.7"}}]}]})");
  Accelerators accelerators;
  const suite::DeviceList list = accelerators.list();
  EXPECT_TRUE(tests::contains(tests::usage_error_of([&] { (void)list(); }), "but its worker is 9.8.7"));
}

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
  EXPECT_TRUE(contains(usage_error_of([&] { require_own_build(worker); }), "but its worker is 9.8.7; install"));
}

}  // namespace

}  // namespace mpsbench::run
