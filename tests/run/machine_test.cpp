#include "run/plan/machine.hpp"

#include "report/host/host_capture.hpp"
#include "run/support.hpp"

namespace mpsbench::run {
namespace {

using tests::contains;
using tests::ScopedVariable;
using tests::usage_error_of;

TEST(Accelerators, AreNotAskedForUntilSomebodyWantsToKnow) {
  const ScopedVariable worker("MPSBENCH_WORKER", "/nowhere/mpsbench-worker");
  Accelerators accelerators;
  const suite::DeviceList list = accelerators.list();
  EXPECT_TRUE(accelerators.known().empty());
  EXPECT_TRUE(accelerators.passed_over({}).empty());
  ASSERT_EQ(list().size(), 3U);
  EXPECT_TRUE(list()[0].usable);
  EXPECT_EQ(list()[0].device, schema::DeviceId("cpu"));
  EXPECT_TRUE(contains(list()[1].reason, "/nowhere/mpsbench-worker")) << list()[1].reason;
}

TEST(Accelerators, AreAskedOfTheWorkerOnce) {
  const ScopedVariable worker("MPSBENCH_WORKER", tests::fake_worker().c_str());
  Accelerators accelerators;
  const suite::DeviceList list = accelerators.list();
  const auto* first = &list();
  ASSERT_EQ(first->size(), 3U);
  EXPECT_EQ(first->front().name, "fake processor");
  EXPECT_EQ(&list(), first);
  EXPECT_TRUE(accelerators.known().empty()) << "the CPU is not an accelerator";
}

TEST(Accelerators, OfAnotherVersionAreRefused) {
  const ScopedVariable worker("MPSBENCH_WORKER", tests::fake_worker().c_str());
  const ScopedVariable script("MPSBENCH_FAKE_SESSION",
                              R"({"rules":[{"case":"probe","actions":[{"probe":{"version":"9.8.7"}}]}]})");
  Accelerators accelerators;
  const suite::DeviceList list = accelerators.list();
  EXPECT_TRUE(contains(usage_error_of([&] { (void)list(); }), "but its worker is 9.8.7"));
}

schema::ToolInfo build(const std::string& version, const std::optional<std::string>& commit) {
  return {"mpsbench", version, commit, "Release", "GNU 12.2.0"};
}

TEST(BuildDifference, OfVersionsIsRefusedAndOfCommitsIsNamed) {
  for (const auto& [front, worker] : {std::pair{"abc", "abc"}, {"abc", ""}, {"", "abc"}}) {  // an archive has none
    const auto commit = [](const std::string& text) { return text.empty() ? std::nullopt : std::optional(text); };
    EXPECT_FALSE(build_difference(build("1.2.3", commit(front)), build("1.2.3", commit(worker))));
  }
  const BuildDifference version = build_difference(build("1.2.3", "abc"), build("1.2.4", "abc")).value();
  EXPECT_TRUE(version.is_refused);
  EXPECT_EQ(version.message, "this is mpsbench 1.2.3, but its worker is 1.2.4");
  EXPECT_TRUE(contains(version.cure, "pip install mpsbench==1.2.3")) << version.cure;
  EXPECT_TRUE(build_difference(build("1.2.3", "abc"), std::nullopt).value().is_refused);
  const BuildDifference found = build_difference(build("1.2.3", "abc"), build("1.2.3", "def")).value();
  EXPECT_FALSE(found.is_refused);
  EXPECT_TRUE(contains(found.message, "commit abc, but its worker is of commit def")) << found.message;
  schema::ToolInfo changed = build("1.2.3", "abc");
  changed.has_uncommitted_changes = true;
  EXPECT_TRUE(build_difference(build("1.2.3", "abc"), changed));
}

TEST(DefaultThreads, FollowTheVariableIfItIsACount) {
  const std::int64_t cores = report::usable_cores();
  for (const auto& [text, threads] : {std::pair<const char*, std::int64_t>{nullptr, cores},
                                      {"", cores},
                                      {"0", cores},
                                      {"-1", cores},
                                      {"4,two", cores},
                                      {"4,", cores},
                                      {"4 2", cores},
                                      {"two", cores},
                                      {"4097", cores},
                                      {"99999999999999999999", cores},
                                      {"4096", 4096},
                                      {"3", 3},
                                      {"4,2", 4},
                                      {" 4 , 2,1", 4}}) {
    const ScopedVariable variable("OMP_NUM_THREADS", text);
    EXPECT_EQ(default_threads(), threads) << (text == nullptr ? "unset" : text);
  }
}

TEST(DefaultThreads, VariablesThatAreIgnoredAreNamedWithACure) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(ignored_thread_variables({}, 2), Texts{});
  EXPECT_EQ(ignored_thread_variables({{"OMP_NUM_THREADS", "4"}, {"MKL_NUM_THREADS", "4"}}, 4), Texts{});
  EXPECT_EQ(
      ignored_thread_variables({{"OMP_NUM_THREADS", "4,2"}}, 4),
      Texts{"of OMP_NUM_THREADS=4,2 only 4 counts, because LibTorch starts no threads inside threads; set it to 4"});
  EXPECT_EQ(ignored_thread_variables({{"OMP_NUM_THREADS", "abc"}}, 2),
            Texts{"OMP_NUM_THREADS=abc is ignored, because it is no whole number from 1 to 4096; set it to one, or "
                  "use --threads"});
  EXPECT_EQ(ignored_thread_variables({{"MKL_NUM_THREADS", "1"}}, 2),
            Texts{"MKL_NUM_THREADS=1 is ignored, because --threads or OMP_NUM_THREADS sets the threads of all "
                  "libraries; use one of them"});
}

TEST(DefaultThreads, ValuesThatOpenMpDoesNotTakeAreNamed) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(ignored_thread_variables({{"OMP_THREAD_LIMIT", "abc"}, {"OMP_DYNAMIC", "maybe"}}, 2),
            (Texts{"OMP_THREAD_LIMIT=abc is ignored, because it is no whole number from 1; correct it, or unset it",
                   "OMP_DYNAMIC=maybe is ignored, because it is neither true nor false; correct it, or unset it"}));
  for (const auto& [name, value] : {std::pair{"OMP_THREAD_LIMIT", "0"},
                                    {"OMP_MAX_ACTIVE_LEVELS", "-1"},
                                    {"OMP_PROC_BIND", "near"},
                                    {"OMP_WAIT_POLICY", "1"},
                                    {"OMP_STACKSIZE", "big"}})
    EXPECT_EQ(ignored_thread_variables({{name, value}}, 2).size(), 1U) << name;
  EXPECT_EQ(ignored_thread_variables({{"OMP_THREAD_LIMIT", "8"},
                                      {"OMP_MAX_ACTIVE_LEVELS", "0"},
                                      {"OMP_DYNAMIC", " TRUE"},
                                      {"OMP_PROC_BIND", "Close, spread"},
                                      {"OMP_WAIT_POLICY", "PASSIVE"},
                                      {"OMP_STACKSIZE", " 10 M "}},
                                     2),
            Texts{});
}

TEST(DefaultThreads, OfARankAreItsOwnWithTheVariable) {
  const ScopedVariable variable("OMP_NUM_THREADS", "3");
  EXPECT_EQ(sharing_cores(4), 1);
}

}  // namespace
}  // namespace mpsbench::run
