#include "supervise/program_output.hpp"

#include "base/error.hpp"

#include <gtest/gtest.h>

namespace mpsbench::supervise {
namespace {

std::string output_of(const std::string& script, double timeout_seconds = 20) {
  Interrupt interrupt;
  return program_output("/bin/sh", {"-c", script, "name", "a b"}, {timeout_seconds, 0.1}, interrupt);
}

// Returns the error's message. Its kind must be KIND.
std::string failure_of(const std::string& script, base::ErrorKind kind, double timeout_seconds = 20) {
  try {
    (void)output_of(script, timeout_seconds);
  } catch (const base::Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << script << " did not fail";
  return "";
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
  try {
    (void)program_output("/nowhere", {}, {1, 1}, interrupt);
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_STREQ(error.what(), "/nowhere cannot be started: No such file or directory");
  }
}

}  // namespace
}  // namespace mpsbench::supervise
