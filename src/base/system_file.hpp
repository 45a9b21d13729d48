// Reads the kernel's small files in /proc and /sys. Absent, unreadable and empty files are treated alike.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace mpsbench::base {

// Returns the whole text of a small system file, or an empty text if it cannot be read.
[[nodiscard]] std::string read_system_file(const std::filesystem::path& path);
// Returns the file's first line.
[[nodiscard]] std::string read_first_line(const std::filesystem::path& path);
[[nodiscard]] std::optional<std::int64_t> read_whole_number(const std::filesystem::path& path);

}  // namespace mpsbench::base
