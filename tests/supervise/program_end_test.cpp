#include "supervise/program_end.hpp"

#include "base/error.hpp"
#include "support/errors.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

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

std::string output_of(const std::string& script, double timeout_seconds = 20) {
  Interrupt interrupt;
  return program_output("/bin/sh", {"-c", script, "name", "a b"}, {timeout_seconds, 0.1}, interrupt);
}

std::string failure_of(const std::string& script, base::ErrorKind kind, double timeout_seconds = 20) {
  return tests::error_of(kind, [&] { (void)output_of(script, timeout_seconds); });
}

TEST(ProgramOutput, IsWhatComesOnTheThirdDescriptor) {
  EXPECT_EQ(output_of("echo noise; echo \"{$1\" >&3; echo more noise >&2; echo '}' >&3"), "{a b\n}\n");
  EXPECT_EQ(output_of("echo one > /dev/fd/3"), "one\n");
  EXPECT_EQ(output_of(":"), "");
}

TEST(ProgramOutput, ABadEndIsAnErrorWithTheProgramsLastWords) {
  using base::ErrorKind;
  EXPECT_EQ(failure_of("echo x >&3; echo first; echo 'no device' >&2; exit 3", ErrorKind::incomplete),
            "/bin/sh ended with exit code 3: no device");
  EXPECT_EQ(failure_of("exit 7", ErrorKind::incomplete), "/bin/sh ended with exit code 7");
  EXPECT_EQ(failure_of("echo 'Error: command buffer exited with error status.' >&2", ErrorKind::incomplete),
            "/bin/sh: Metal aborted work on the GPU");
  EXPECT_EQ(failure_of("echo 'a warning' >&2; kill -SEGV $$", ErrorKind::incomplete),
            "/bin/sh was killed by SIGSEGV: a warning");
  EXPECT_EQ(failure_of("sleep 60", ErrorKind::incomplete, 0.05), "/bin/sh did not finish within 50.0 ms");
  EXPECT_EQ(failure_of("kill -INT $PPID; sleep 60", ErrorKind::interrupted), "stopped while /bin/sh ran");
}

TEST(ProgramOutput, OfAProgramThatIsNotThere) {
  Interrupt interrupt;
  EXPECT_EQ(
      tests::error_of(base::ErrorKind::incomplete, [&] { (void)program_output("/nowhere", {}, {1, 1}, interrupt); }),
      "/nowhere cannot be started: No such file or directory");
}

}  // namespace
}  // namespace mpsbench::supervise
