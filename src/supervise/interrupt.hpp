// SIGINT, SIGTERM and SIGHUP as a countable, pollable event. The first asks a run to finish politely, the
// second to stop at once.
#pragma once

#include "supervise/descriptor.hpp"

namespace mpsbench::supervise {

// Catches the signals while it lives, except those that were ignored when it was made (nohup). One at a time;
// make it in the main thread.
class Interrupt {
 public:
  // Throws std::system_error when no pipe is to be had.
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  // Signals so far.
  [[nodiscard]] int count() const;
  // Readable for poll() when a signal has come since the last acknowledge().
  [[nodiscard]] int descriptor() const { return wake_.get(); }
  void acknowledge();
  // Sleeps SECONDS or until a signal; true when one has come by now, however long ago.
  bool wait(double seconds);

 private:
  Descriptor wake_;
  Descriptor wake_writer_;
};

}  // namespace mpsbench::supervise
