// A folder that only this user can change, for files that are loaded as code.
#pragma once

#include <filesystem>
#include <system_error>

namespace mpsbench::base {

// Makes FOLDER and the folders above it that do not exist, each for this user alone, whatever the umask is.
[[nodiscard]] std::error_code make_private_folder(const std::filesystem::path& folder);

// Makes FOLDER in this way, and keeps others out of it if it exists. Throws Error(usage) with what to do if
// it cannot be reached or made, or if another user could change what is in it: it is a link; or it, a folder
// above it or a link on the way to it belongs to another user than this one or root; or others may write to
// one of these folders (only a sticky folder, such as /tmp, may stand above it).
void require_private_folder(const std::filesystem::path& folder);

}  // namespace mpsbench::base
