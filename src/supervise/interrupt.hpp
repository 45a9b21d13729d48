// What wakes the event loops that watch workers: pipes, signals that end a run, and news of child processes.
#pragma once

#include "base/descriptor.hpp"

namespace mpsbench::supervise {

using base::Descriptor;

struct Pipe {
  Descriptor read;
  Descriptor write;
};

// Both ends are closed on exec, and lifted. Throws Error(usage) with the cure if this process may open no more
// files, otherwise std::system_error.
[[nodiscard]] Pipe make_pipe();
// Returns LOW with a number of at least 10, because a child uses lower ones. Throws like make_pipe().
[[nodiscard]] Descriptor lift(Descriptor low);
void set_nonblocking(int fd);

// Converts a timeout for poll(). Rounds up, so that poll() does not return too early.
[[nodiscard]] int poll_milliseconds(double seconds);

// Catches SIGINT, SIGTERM and SIGHUP until it is destroyed, except those that were ignored when it was made
// (nohup). The first signal asks a run to end cleanly, the second to stop immediately. Make only one at a
// time, in the main thread.
class Interrupt {
 public:
  // Throws like make_pipe().
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  // Returns the number of signals so far.
  [[nodiscard]] int count() const;
  // Returns a descriptor that poll() reports as readable if a signal has come since the last acknowledge().
  [[nodiscard]] int descriptor() const { return wake_.read.get(); }
  void acknowledge();
  // Sleeps for SECONDS or until a signal comes. Returns true if any signal has come, even before the call.
  bool wait(double seconds);

 private:
  Pipe wake_;
};

// Returns a descriptor that poll() reports as readable if a child process has ended, was stopped or went on
// since the last acknowledge_child_news(). Handles SIGCHLD from the first call on, so call it before there are
// children. Only one thread at a time may wait for it. Throws like make_pipe().
[[nodiscard]] int child_news();
void acknowledge_child_news();

}  // namespace mpsbench::supervise
