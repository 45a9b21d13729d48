// If the front is killed with -9, no worker remains, and the journal has every finished launch.
#include "supervise/journal.hpp"
#include "supervise/support.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace mpsbench::supervise {
namespace {

void kill_and_reap(pid_t front) {
  ::kill(front, SIGKILL);
  ::waitpid(front, nullptr, 0);
}

TEST(FrontKilled, TheWorkerEndsToo) {
#ifndef __linux__
  GTEST_SKIP() << "only on Linux does the fake worker end with its parent";
#endif
  const tests::Scratch folder;
  const std::filesystem::path pid_file = folder / "pid";
  const std::string script =
      R"(["ignore_term","hello",{"write_file":{"text":"$pid","path":")" + pid_file.string() + R"("}},"hang"])";
  const pid_t front = ::fork();
  if (front == 0) {
    static_cast<void>(tests::play(script, {60, 60}));
    ::_exit(0);
  }
  const pid_t worker = tests::await_pid(pid_file);
  kill_and_reap(front);
  EXPECT_TRUE(tests::ends(worker));
}

TEST(FrontKilled, WhatWasAppendedIsInTheJournal) {
  const tests::Scratch folder;
  const std::filesystem::path path = folder / "run.jsonl";
  const schema::PlannedCase planned = tests::planned_case("net", 8);
  int acknowledged[2];
  ASSERT_EQ(::pipe(acknowledged), 0);
  const pid_t front = ::fork();
  if (front == 0) {
    Journal journal = Journal::create(path, tests::run_record({planned}));
    schema::Launch launch = tests::launch_of(schema::Status::ok);
    launch.samples_seconds.assign(4096, 0.123456789);
    for (;;) {
      journal.append(planned.id, launch);
      if (::write(acknowledged[1], "x", 1) != 1) ::_exit(1);
      ++launch.index;
    }
  }
  char bytes[20];
  std::size_t promised = 0;
  while (promised < sizeof bytes) {
    const ssize_t count = ::read(acknowledged[0], bytes, sizeof bytes - promised);
    ASSERT_GT(count, 0);
    promised += static_cast<std::size_t>(count);
  }
  kill_and_reap(front);
  const schema::RunRecord record = Journal::load(path);
  ASSERT_GE(record.launches.at(planned.id).size(), promised);
  for (const schema::Launch& launch : record.launches.at(planned.id)) EXPECT_EQ(launch.samples_seconds.size(), 4096U);
  ::close(acknowledged[0]);
  ::close(acknowledged[1]);
}

}  // namespace
}  // namespace mpsbench::supervise
