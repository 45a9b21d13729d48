// What the connections to other processes have in common: addresses of this machine, texts in a store, and how
// long another process may be silent before it counts as lost.
#pragma once

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace mpsbench::collective {

// Returns the address from which this machine reaches HOST, and so the one under which HOST's network reaches
// this machine. Nothing is sent. Throws Error(usage) if HOST is unknown or cannot be reached from here.
[[nodiscard]] std::string own_address(const std::string& host, std::int64_t port);

// Opens a socket that listens on PORT of HOST, an address of this machine. The caller must close it. Throws
// Error(usage) if the port is taken or the address is another machine's.
[[nodiscard]] int listen_at(const std::string& host, std::int64_t port);

// Texts as a c10d store keeps them.
inline std::vector<std::uint8_t> as_bytes(const std::string& text) {
  return {text.begin(), text.end()};
}

inline std::string as_text(const std::vector<std::uint8_t>& bytes) {
  return {bytes.begin(), bytes.end()};
}

// Returns USUAL, or less if MPSBENCH_LOST_AFTER_MS says so: tests wait for processes that they kill.
inline std::chrono::milliseconds lost_after(std::chrono::milliseconds usual) {
  const char* text = std::getenv("MPSBENCH_LOST_AFTER_MS");
  std::int64_t shorter = usual.count();
  if (text != nullptr) std::from_chars(text, text + std::string_view(text).size(), shorter);
  return std::min(usual, std::chrono::milliseconds(shorter));
}

struct Patience {
  std::chrono::milliseconds meeting{60'000};  // until all ranks have connected
  // From then on: who says nothing for so long is lost.
  std::chrono::milliseconds silence = lost_after(std::chrono::seconds(15));
  // How often each says that it lives.
  std::chrono::milliseconds beat = std::min(std::chrono::milliseconds(2'000), silence / 6);
};

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
