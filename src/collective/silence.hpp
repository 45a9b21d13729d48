// How long another process may be silent before it counts as lost.
#pragma once

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace mpsbench::collective {

// Returns USUAL, or less if MPSBENCH_LOST_AFTER_MS says so: tests wait for processes that they kill.
inline std::chrono::milliseconds lost_after(std::chrono::milliseconds usual) {
  const char* text = std::getenv("MPSBENCH_LOST_AFTER_MS");
  std::int64_t shorter = usual.count();
  if (text != nullptr) std::from_chars(text, text + std::string_view(text).size(), shorter);
  return std::min(usual, std::chrono::milliseconds(shorter));
}

// Notices that this process itself stood still, as in a frozen container. That time is no silence of others.
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
