#include "worker/parent_watch.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace mpsbench::worker {
namespace {

#ifdef __linux__
TEST(ParentWatch, KnowsAFrontThatASignalHasStopped) {
  const pid_t front = ::fork();
  if (front == 0) {
    ::pause();
    ::_exit(0);
  }
  EXPECT_FALSE(is_front_stopped(front));
  ::kill(front, SIGSTOP);
  int status = 0;
  ::waitpid(front, &status, WUNTRACED);
  EXPECT_TRUE(WIFSTOPPED(status));
  EXPECT_TRUE(is_front_stopped(front));
  ::kill(front, SIGKILL);
  ::waitpid(front, &status, 0);
  EXPECT_FALSE(is_front_stopped(front));
}
#endif

}  // namespace
}  // namespace mpsbench::worker
