#include "supervise/descriptor.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <utility>

namespace mpsbench::supervise {
namespace {

TEST(Descriptor, ClosesItselfOnce) {
  int number = -1;
  {
    Pipe pipe = make_pipe();
    number = pipe.read.get();
    const Descriptor moved = std::move(pipe.read);
    EXPECT_EQ(moved.get(), number);
    EXPECT_EQ(pipe.read.get(), -1);
    EXPECT_GE(::fcntl(number, F_GETFD), 0);
  }
  EXPECT_LT(::fcntl(number, F_GETFD), 0);
}

TEST(MakePipe, StaysClearOfAChildsDescriptorsAndIsNotInherited) {
  const Pipe pipe = make_pipe();
  for (const int fd : {pipe.read.get(), pipe.write.get()}) {
    EXPECT_GE(fd, 10);
    EXPECT_NE(::fcntl(fd, F_GETFD) & FD_CLOEXEC, 0);
  }
}

TEST(PollMilliseconds, RoundsUpAndIsBounded) {
  EXPECT_EQ(poll_milliseconds(-1), 0);
  EXPECT_EQ(poll_milliseconds(0.0001), 1);
  EXPECT_EQ(poll_milliseconds(1.5), 1500);
  EXPECT_EQ(poll_milliseconds(1e300), 86'400'000);
}

}  // namespace
}  // namespace mpsbench::supervise
