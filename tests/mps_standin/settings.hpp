// The settings of the stand-in, read once from the environment. README.md lists them.
#pragma once

#include <cstddef>

namespace mpsbench::standin {

// What a synchronise of the device does.
enum class Synchronise {
  waits,  // waits until everything queued is done
  early,  // waits until half of it is done
  never,
};

struct Settings {
  Synchronise synchronise = Synchronise::waits;
  std::size_t memory_bytes = 0;          // the memory limit that the system recommends
  std::size_t largest_buffer_bytes = 0;  // the limit for one tensor
  std::size_t most_queued = 0;           // how many operators may be queued
};

[[nodiscard]] const Settings& settings();

// The version of macOS that the stand-in imitates: 15.1.
inline constexpr unsigned kMacosMajor = 15;
inline constexpr unsigned kMacosMinor = 1;

}  // namespace mpsbench::standin
