// Random names, which are unique in practice.
#pragma once

#include <cstddef>
#include <string>

namespace mpsbench::base {

// Returns LENGTH random lower-case hexadecimal digits.
[[nodiscard]] std::string random_hex(std::size_t length);

}  // namespace mpsbench::base
