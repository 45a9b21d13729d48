#include "run/default_threads.hpp"

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
  for (const char* text : {"", "0", "-1", "4,2", "two", "4097", "99999999999999999999"}) {
    const ScopedVariable variable("OMP_NUM_THREADS", text);
    EXPECT_EQ(default_threads(), report::usable_cores()) << text;
  }
  const ScopedVariable variable("OMP_NUM_THREADS", "4096");
  EXPECT_EQ(default_threads(), 4096);
}

TEST(DefaultThreads, OfARankAreItsOwnWithTheVariable) {
  const ScopedVariable variable("OMP_NUM_THREADS", "3");
  EXPECT_EQ(sharing_cores(4), 1);
}

}  // namespace
}  // namespace mpsbench::run
