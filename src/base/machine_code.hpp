// Which system and processor native code was built for, as its own header says.
#pragma once

#include <string>
#include <string_view>

namespace mpsbench::base {

// Returns the platform of the first shared library in BYTES, such as "Linux on aarch64" or "macOS on arm64".
// BYTES may be the library itself or an archive that contains it as it is. Returns "" if none is found.
[[nodiscard]] std::string library_platform(std::string_view bytes);

// Returns the platform of this program in the same words.
[[nodiscard]] std::string own_platform();

}  // namespace mpsbench::base
