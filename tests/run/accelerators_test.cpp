#include "run/accelerators.hpp"

#include "run/support.hpp"

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
  const tests::ScopedVariable script(
      "MPSBENCH_FAKE_SESSION", R"({"rules":[{"case":"probe","actions":[{"probe":{"version":"9.8.7"}}]}]})");
  Accelerators accelerators;
  const suite::DeviceList list = accelerators.list();
  EXPECT_TRUE(tests::contains(tests::usage_error_of([&] { (void)list(); }), "but its worker is 9.8.7"));
}

}  // namespace
}  // namespace mpsbench::run
