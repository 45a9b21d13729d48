// Is a text UTF-8?
#pragma once

#include <string_view>

namespace mpsbench::base {

// As Unicode defines it: no overlong forms, no surrogates, no numbers above U+10FFFF.
[[nodiscard]] bool is_utf8(std::string_view text);

}  // namespace mpsbench::base
