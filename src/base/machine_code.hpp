// Which system and processor native code was built for, as its own header says.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace mpsbench::base {

// Returns the platform of the first shared library or program in BYTES, such as "Linux on aarch64" or "macOS
// on arm64". BYTES may be the library itself or an archive that contains it as it is. Returns "" if none is
// found.
[[nodiscard]] std::string code_platform(std::string_view bytes);

// Returns the platform of this program in the same words.
[[nodiscard]] std::string own_platform();

// Returns why PROGRAM could not be started, for the error CODE: also that it was built for another platform.
[[nodiscard]] std::string start_problem(const std::filesystem::path& program, const std::error_code& code);

}  // namespace mpsbench::base
