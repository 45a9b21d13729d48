#include "run/plan/default_threads.hpp"

#include "report/host/host_capture.hpp"
#include "support/scratch.hpp"

namespace mpsbench::run {
namespace {

using tests::ScopedVariable;

TEST(DefaultThreads, FollowTheVariable) {
  const ScopedVariable variable("OMP_NUM_THREADS", "3");
  EXPECT_EQ(default_threads(), 3);
}

TEST(DefaultThreads, AreTheUsableCoresWithoutIt) {
  const ScopedVariable variable("OMP_NUM_THREADS", nullptr);
  EXPECT_EQ(default_threads(), report::usable_cores());
}

TEST(DefaultThreads, IgnoreAVariableThatIsNoCount) {
  for (const char* text : {"", "0", "-1", "4,two", "4,", "4 2", "two", "4097", "99999999999999999999"}) {
    const ScopedVariable variable("OMP_NUM_THREADS", text);
    EXPECT_EQ(default_threads(), report::usable_cores()) << text;
  }
  const ScopedVariable variable("OMP_NUM_THREADS", "4096");
  EXPECT_EQ(default_threads(), 4096);
}

TEST(DefaultThreads, AreTheFirstOfALevelsNumbers) {
  for (const char* text : {"4,2", "4", " 4 , 2,1"}) {
    const ScopedVariable variable("OMP_NUM_THREADS", text);
    EXPECT_EQ(default_threads(), 4) << text;
  }
}

TEST(DefaultThreads, VariablesThatAreIgnoredAreNamedWithACure) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(ignored_thread_variables({}, 2), Texts{});
  EXPECT_EQ(ignored_thread_variables({{"OMP_NUM_THREADS", "4,2"}, {"MKL_NUM_THREADS", "4"}}, 4), Texts{});
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
