// Notices that this process itself stood still, as in a frozen container. That time is no silence of others.
#pragma once

#include <chrono>

namespace mpsbench::collective {

class OwnPause {
 public:
  using Clock = std::chrono::steady_clock;

  // A process that runs calls has_ended() more often than every LONGEST.
  explicit OwnPause(Clock::duration longest) : longest_(longest) {}

  // Whether this process stood still between the last call and NOW. Then what others have sent meanwhile may
  // not have been read yet.
  [[nodiscard]] bool has_ended(Clock::time_point now) {
    const bool was_long = now - last_ > longest_;
    last_ = now;
    return was_long;
  }

 private:
  Clock::duration longest_;
  Clock::time_point last_ = Clock::now();
};

}  // namespace mpsbench::collective
