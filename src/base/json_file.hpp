// Reads JSON files that may come from anyone: size and depth are limited, duplicate keys are refused, and
// errors name the file and the place.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace mpsbench::base {

// Reads a whole file as text. Throws Error(usage) if it is a folder, is unreadable or has more than
// MAX_BYTES.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path, std::uintmax_t max_bytes);

inline constexpr int kMaxJsonDepth = 64;

// Parses TEXT. NAME is the file's name for messages. Throws Error(usage) for bad syntax, bad UTF-8, a
// duplicate key or nesting deeper than MAX_DEPTH.
[[nodiscard]] nlohmann::json parse_json(std::string_view text, const std::string& name, int max_depth = kMaxJsonDepth);

// Parses TEXT that a JsonCursor took, which has checked its nesting. Does not check for duplicate keys.
[[nodiscard]] nlohmann::json parse_taken_json(std::string_view text, const std::string& name);

// Reads a model or a suite: at most 4 MiB, and with so little nesting that a report can contain it.
[[nodiscard]] nlohmann::json read_json_file(const std::filesystem::path& path);

// Reads a report, which may contain hundreds of megabytes of samples.
[[nodiscard]] nlohmann::json read_large_json_file(const std::filesystem::path& path);
// Reads the same file as text, without parsing it.
[[nodiscard]] std::string read_large_text_file(const std::filesystem::path& path);

// Returns JSON text for files and pipes. Bad UTF-8, which the tail of a stderr may contain, is replaced
// instead of causing an error. If INDENT is -1, the text is one line.
[[nodiscard]] std::string to_text(const nlohmann::ordered_json& value, int indent = -1);

}  // namespace mpsbench::base
