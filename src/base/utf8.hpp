// Checks whether a text is UTF-8.
#pragma once

#include <string_view>

namespace mpsbench::base {

// Follows Unicode's definition: no overlong forms, no surrogates and no values above U+10FFFF.
[[nodiscard]] bool is_utf8(std::string_view text);

}  // namespace mpsbench::base
