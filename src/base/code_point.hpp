// The characters of a text that may be anybody's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mpsbench::base {

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

// The code point at the start of TEXT, which is not empty; not valid for overlong forms, surrogates and cut
// sequences.
[[nodiscard]] CodePoint first_code_point(std::string_view text);

// Characters that draw nothing but change how a terminal draws the rest: controls, and marks of direction.
[[nodiscard]] bool steers_terminal(std::uint32_t value);

}  // namespace mpsbench::base
