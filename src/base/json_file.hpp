// Reads JSON files of strangers: bounded in size and depth, no duplicate keys, errors with file and place.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace mpsbench::base {

// Whole file as text. Throws Error(usage) for a folder, an unreadable file or more than MAX_BYTES.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path, std::uintmax_t max_bytes);

inline constexpr int kMaxJsonDepth = 64;

// TEXT as JSON; NAME is the file's name for messages. Throws Error(usage) for bad syntax or UTF-8, a
// duplicate key or nesting deeper than MAX_DEPTH.
[[nodiscard]] nlohmann::json parse_json(std::string_view text, const std::string& name,
                                        int max_depth = kMaxJsonDepth);

// The same without looking for duplicate keys, for parts of a report.
[[nodiscard]] nlohmann::json parse_large_json(std::string_view text, const std::string& name);

// Models and suites (at most 4 MiB, and so shallow that a report can hold them).
[[nodiscard]] nlohmann::json read_json_file(const std::filesystem::path& path);

// A report; may hold hundreds of megabytes of samples, so duplicate keys are not looked for.
[[nodiscard]] nlohmann::json read_large_json_file(const std::filesystem::path& path);
// Its text, not parsed.
[[nodiscard]] std::string read_large_text_file(const std::filesystem::path& path);

// JSON text for files and pipes: bad UTF-8 (tails of stderr) is replaced instead of throwing. INDENT -1: one
// line.
[[nodiscard]] std::string to_text(const nlohmann::json& value, int indent = -1);
[[nodiscard]] std::string to_text(const nlohmann::ordered_json& value, int indent = -1);

}  // namespace mpsbench::base
