// Makes SIGINT, SIGTERM and SIGHUP an event that can be counted and polled. The first signal asks a run to
// end cleanly, the second to stop immediately.
#pragma once

#include "supervise/descriptor.hpp"

namespace mpsbench::supervise {

// Catches the signals until it is destroyed, except those that were ignored when it was made (nohup). Make
// only one at a time, in the main thread.
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
  [[nodiscard]] int descriptor() const { return wake_.get(); }
  void acknowledge();
  // Sleeps for SECONDS or until a signal comes. Returns true if any signal has come, even before the call.
  bool wait(double seconds);

 private:
  Descriptor wake_;
  Descriptor wake_writer_;
};

}  // namespace mpsbench::supervise
