// Names in hexadecimal: fingerprints of contents, and random ones.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mpsbench::base {

// SHA-256 (FIPS 180-4), used for fingerprints of definitions and checksums of data files.
// Returns the hash as 64 lower-case hexadecimal digits.
[[nodiscard]] std::string sha256_hex(std::string_view bytes);

// Returns LENGTH random lower-case hexadecimal digits.
[[nodiscard]] std::string random_hex(std::size_t length);

}  // namespace mpsbench::base
