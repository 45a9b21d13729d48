// SHA-256 (FIPS 180-4), used for fingerprints of definitions and checksums of data files.
#pragma once

#include <string>
#include <string_view>

namespace mpsbench::base {

// Returns the hash as 64 lower-case hexadecimal digits.
[[nodiscard]] std::string sha256_hex(std::string_view bytes);

}  // namespace mpsbench::base
