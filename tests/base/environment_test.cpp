#include "base/environment.hpp"

#include "support/errors.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

namespace mpsbench::base {

namespace {

using tests::ScopedVariable;

TEST(OpenMpVariables, AreBlamedIfTheyAreSet) {
  const ScopedVariable threads("OMP_NUM_THREADS", "2");
  const ScopedVariable affinity("GOMP_CPU_AFFINITY", nullptr);
  EXPECT_EQ(blame_openmp("it failed"), "");
  const ScopedVariable stack("OMP_STACKSIZE", "999G");
  EXPECT_EQ(blame_openmp("it failed"), "it failed (OMP_STACKSIZE=999G); unset OMP_STACKSIZE");
  EXPECT_EQ(blame_openmp("it failed", "wait"), "it failed (OMP_STACKSIZE=999G); unset OMP_STACKSIZE, or wait");
  const ScopedVariable innocent("KMP_BLOCKTIME", "0");
  const ScopedVariable places("KMP_AFFINITY", "x");
  const std::string both = blame_openmp("it failed");
  EXPECT_TRUE(tests::contains(both, "OMP_STACKSIZE=999G") && tests::contains(both, "KMP_AFFINITY=x") &&
              tests::contains(both, " and ") && !tests::contains(both, "BLOCKTIME"))
      << both;
}

TEST(OpenMpVariables, AnAffinityIsAListOfCpus) {
  for (const char* text : {"", "0", "0-3 8", "0-7:2", " 0,1\t2-3, ", "0x1"}) {
    const ScopedVariable affinity("GOMP_CPU_AFFINITY", text);
    EXPECT_NO_THROW(require_openmp_starts()) << text;
  }
  for (const char* text : {"abc", "0 abc", "0-3x", "all", "0;1"}) {
    const ScopedVariable affinity("GOMP_CPU_AFFINITY", text);
    EXPECT_TRUE(tests::contains(tests::usage_error_of([] { require_openmp_starts(); }),
                                "GOMP_CPU_AFFINITY=" + std::string(text) + " is no list of CPUs"))
        << text;
  }
}

}  // namespace

}  // namespace mpsbench::base
