// Files that commands write where the user said.
#pragma once

#include <filesystem>
#include <string>

namespace mpsbench::cli {

// Proves that a file can be written at PATH, which the user gave by OPTION, and makes its folder. Throws
// Error(usage), also where something that is no regular file is in the way.
void require_place(const std::filesystem::path& path, const std::string& option);

// The same of --output, where "-" is stdout.
void require_output(const std::string& output);
// Whole or not at all, or to stdout for "-". Throws Error(incomplete).
void write_output(const std::string& output, const std::string& text);

}  // namespace mpsbench::cli
