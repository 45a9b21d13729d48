// Decodes UTF-8 text that may come from anyone and may be malformed.
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

// Decodes the code point at the start of TEXT, which must not be empty. Overlong forms, surrogates and
// incomplete sequences are not valid.
[[nodiscard]] CodePoint first_code_point(std::string_view text);

// Characters that are invisible but change how a terminal shows the rest: control characters and marks of
// text direction.
[[nodiscard]] bool steers_terminal(std::uint32_t value);

// Characters of Unicode that show nothing or only a space, those of steers_terminal() included.
[[nodiscard]] bool is_invisible(std::uint32_t value);

}  // namespace mpsbench::base
