#include "supervise/interrupt.hpp"

#include "supervise/support.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <utility>
#include <variant>

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

bool readable(int fd) {
  pollfd one{fd, POLLIN, 0};
  return ::poll(&one, 1, 0) == 1;
}

TEST(Interrupt, CountsSignalsAndWakesPoll) {
  Interrupt interrupt;
  EXPECT_EQ(interrupt.count(), 0);
  EXPECT_FALSE(readable(interrupt.descriptor()));
  ::raise(SIGINT);
  ::raise(SIGTERM);
  ::raise(SIGHUP);
  EXPECT_EQ(interrupt.count(), 3);
  EXPECT_TRUE(readable(interrupt.descriptor()));
  interrupt.acknowledge();
  EXPECT_FALSE(readable(interrupt.descriptor()));
  EXPECT_EQ(interrupt.count(), 3);
}

TEST(Interrupt, WaitsUntilASignalAndNotAtAllAfterOne) {
  Interrupt interrupt;
  EXPECT_FALSE(interrupt.wait(0.01));
  ::raise(SIGINT);
  interrupt.acknowledge();
  EXPECT_TRUE(interrupt.wait(1e9));
}

TEST(Interrupt, LeavesAnIgnoredSignalIgnoredAndRestoresTheOthers) {
  ::signal(SIGHUP, SIG_IGN);
  {
    const Interrupt interrupt;
    ::raise(SIGHUP);
    EXPECT_EQ(interrupt.count(), 0);
  }
  EXPECT_EQ(::signal(SIGHUP, SIG_DFL), SIG_IGN);
  EXPECT_EQ(::signal(SIGINT, SIG_DFL), SIG_DFL);
}

struct InterruptedLaunch {
  const char* name;
  std::string script;
  int signals;  // of Ctrl-C, when the worker enters its phase
  double grace_seconds;
};

TEST(Interrupt, EndsALaunch) {
  const std::string polite = R"(["hello",{"phase":"measure"},"hang"])";
  const std::string stubborn = R"(["ignore_term","hello",{"phase":"measure"},"hang"])";
  for (const auto& [name, script, signals, grace_seconds] : {InterruptedLaunch{"politely", polite, 1, 20},
                                                             {"after the grace", stubborn, 1, 0.1},
                                                             {"at once", stubborn, 2, 20}}) {
    const auto press = [count = signals](const schema::Event& event) {
      if (!std::holds_alternative<schema::PhaseEvent>(event)) return;
      for (int i = 0; i < count; ++i) ::raise(SIGINT);
    };
    const schema::Launch launch = tests::play(script, {20, grace_seconds}, press).launch;
    EXPECT_EQ(launch.status, schema::Status::interrupted) << name;
    EXPECT_EQ(launch.failure->kind, "interrupted") << name;
    EXPECT_EQ(launch.failure->message, "stopped by the user in phase measure") << name;
    EXPECT_LT(launch.wall_seconds, 10) << name;
  }
}

TEST(ChildNews, ComesOfAnEnd) {
  const int news = child_news();
  acknowledge_child_news();
  EXPECT_FALSE(readable(news));
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  siginfo_t info{};
  EXPECT_EQ(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED), 0);
  EXPECT_TRUE(readable(news));
  acknowledge_child_news();
  EXPECT_FALSE(readable(news));
}

}  // namespace
}  // namespace mpsbench::supervise
