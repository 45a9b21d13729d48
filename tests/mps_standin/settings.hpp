// The switches of the stand-in, read from the environment once: README.md lists them.
#pragma once

#include <cstddef>

namespace mpsbench::standin {

// What a synchronise of the device does.
enum class Synchronise {
  waits,  // until everything queued is done
  early,  // until half of it is done
  never,
};

struct Settings {
  Synchronise synchronise = Synchronise::waits;
  std::size_t memory_bytes = 0;          // the working set that the system recommends as limit
  std::size_t largest_buffer_bytes = 0;  // of one tensor
  std::size_t most_queued = 0;           // operators that the host may be ahead
};

[[nodiscard]] const Settings& settings();

// Of the Mac that is played: 15.1.
inline constexpr unsigned kMacosMajor = 15;
inline constexpr unsigned kMacosMinor = 1;

}  // namespace mpsbench::standin
