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

}  // namespace mpsbench::collective
