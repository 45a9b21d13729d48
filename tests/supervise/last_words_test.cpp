#include "supervise/last_words.hpp"

#include "support/errors.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace mpsbench::supervise {
namespace {

TEST(LastWords, AreTheLastLineThatIsNotBlank) {
  EXPECT_EQ(last_line("one\ntwo \n\n"), "two");
  EXPECT_EQ(last_line(" \n"), "");
  EXPECT_EQ(last_words("one\ntwo\n"), "two");
}

TEST(LastWords, AreNotWarningsOrStackTraces) {
  EXPECT_EQ(last_words("mpsbench-worker: no such file\n[W1128 Module.cpp:84] Warning: slow\n/x.py:3: UserWarning: y\n"),
            "mpsbench-worker: no such file");
  EXPECT_EQ(last_words("terminate called after throwing an instance of 'c10::Error'\n  what():  stream is null\n"
                       "Exception raised from f at x.cpp:1 (most recent call first):\nframe #0: a + 0x1 (0x2 in b)\n"),
            "stream is null");
  EXPECT_EQ(last_words("[W] only a warning\n"), "");
}

TEST(LastWords, TellingLinesAreKnown) {
  for (const auto& [text, line] :
       {std::pair{"\nlibgomp: Thread creation failed: Resource temporarily unavailable\nbye\n",
                  "libgomp: Thread creation failed: Resource temporarily unavailable"},
        {"terminate called without an active exception\n", "terminate called without an active exception"},
        {"mpsbench-worker: error while loading shared libraries: libtorch.so: no such file\n",
         "mpsbench-worker: error while loading shared libraries: libtorch.so: no such file"},
        {"==7==ERROR: AddressSanitizer: heap-use-after-free on address\n=>0x1\n",
         "==7==ERROR: AddressSanitizer: heap-use-after-free on address"},
        {"CUDA error: an illegal memory access was encountered\nx\n",
         "CUDA error: an illegal memory access was encountered"},
        {"free(): invalid pointer\n", "free(): invalid pointer"},
        {"all is well\n", ""}})
    EXPECT_EQ(telling_line(text), line);
}

TEST(LastWords, KnownReasonsHaveACure) {
  for (const auto& [message, part] :
       {std::pair{"the worker ended with exit code 1: libgomp: Thread creation failed: Resource temporarily "
                  "unavailable",
                  "; allow more processes and threads (ulimit -u"},
        {"cannot start w: Resource temporarily unavailable", "; allow more processes and threads (ulimit -u"},
        {"x: error while loading shared libraries: l.so: failed to map segment from shared object",
         "; allow more memory (ulimit -v"},
        {"x: error while loading shared libraries: l.so: cannot open", "; install this library"},
        {"x: symbol lookup error: y: undefined symbol: z", "; build mpsbench again"},
        {"CUDA driver version is insufficient for CUDA runtime version", "; update the NVIDIA driver"},
        {"Too many open files", "; allow more open files (ulimit -n)"},
        {"the worker was killed by SIGILL in phase warmup", "; the CPU lacks an instruction"}})
    EXPECT_NE(with_cure(message).find(std::string(message) + part), std::string::npos) << with_cure(message);
  for (const char* message : {"the worker ended with exit code 7", "Too many open files; try again", "libgomp: x"})
    EXPECT_EQ(with_cure(message), message);
}

TEST(LastWords, VariablesOfOpenMpAreToBlame) {
  const tests::ScopedVariable variable("OMP_STACKSIZE", "999G");
  const std::string blamed = " (OMP_STACKSIZE=999G); unset OMP_STACKSIZE";
  for (const std::string message : {"libgomp: x", "OMP: Error #15"}) EXPECT_EQ(with_cure(message), message + blamed);
  EXPECT_TRUE(with_cure("libgomp: Thread creation failed: Invalid argument")
                  .starts_with("libgomp: Thread creation failed: Invalid argument" + blamed + ", or allow more"));
  EXPECT_EQ(with_cure("the worker ended with exit code 7"), "the worker ended with exit code 7");
  EXPECT_EQ(with_cure("the worker ended with exit code 7", true), "the worker ended with exit code 7" + blamed);
  EXPECT_TRUE(tests::contains(with_cure("symbol lookup error", true), "; build mpsbench again"));
  EXPECT_TRUE(tests::contains(with_cure("fork: Resource temporarily unavailable"), "; allow more processes"));
}

}  // namespace
}  // namespace mpsbench::supervise
