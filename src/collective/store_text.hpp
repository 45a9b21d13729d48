// Texts as a c10d store keeps them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mpsbench::collective {

inline std::vector<std::uint8_t> as_bytes(const std::string& text) {
  return {text.begin(), text.end()};
}

inline std::string as_text(const std::vector<std::uint8_t>& bytes) {
  return {bytes.begin(), bytes.end()};
}

}  // namespace mpsbench::collective
