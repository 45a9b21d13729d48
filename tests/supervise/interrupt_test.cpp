#include "supervise/interrupt.hpp"

#include "supervise/support.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>

#include <string>

namespace mpsbench::supervise {
namespace {

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

// Sends the signal of Ctrl-C when the worker enters a phase.
struct Impatient : LaunchListener {
  explicit Impatient(int count) : presses(count) {}
  void on_phase(schema::Phase /*phase*/) override {
    for (int i = 0; i < presses; ++i) ::raise(SIGINT);
  }
  int presses;
};

TEST(RunLaunch, TheFirstInterruptEndsTheWorkerPolitely) {
  Interrupt interrupt;
  Impatient user(1);
  const schema::Launch launch =
      tests::play(R"(["hello",{"phase":"measure"},"hang"])", {20, 20}, user, interrupt).launch;
  EXPECT_EQ(launch.status, schema::Status::interrupted);
  EXPECT_EQ(launch.failure->kind, "interrupted");
  EXPECT_EQ(launch.failure->message, "stopped by the user in phase measure");
  EXPECT_LT(launch.wall_seconds, 10);
}

TEST(RunLaunch, AWorkerThatIgnoresThePoliteWayIsKilledAfterTheGrace) {
  Interrupt interrupt;
  Impatient user(1);
  const schema::Launch launch =
      tests::play(R"(["ignore_term","hello",{"phase":"measure"},"hang"])", {20, 0.1}, user, interrupt).launch;
  EXPECT_EQ(launch.status, schema::Status::interrupted);
  EXPECT_LT(launch.wall_seconds, 10);
}

TEST(RunLaunch, TheSecondInterruptKillsAtOnce) {
  Interrupt interrupt;
  Impatient user(2);
  const schema::Launch launch =
      tests::play(R"(["ignore_term","hello",{"phase":"measure"},"hang"])", {20, 20}, user, interrupt).launch;
  EXPECT_EQ(launch.status, schema::Status::interrupted);
  EXPECT_LT(launch.wall_seconds, 10);
}

}  // namespace
}  // namespace mpsbench::supervise
