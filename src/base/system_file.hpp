// Small files of the kernel's, in /proc and /sys: absent, unreadable and empty are the same.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace mpsbench::base {

// The whole of a small system file, empty when it cannot be read.
[[nodiscard]] std::string read_system_file(const std::filesystem::path& path);
// Its first line.
[[nodiscard]] std::string read_first_line(const std::filesystem::path& path);
[[nodiscard]] std::optional<std::int64_t> read_whole_number(const std::filesystem::path& path);

}  // namespace mpsbench::base
