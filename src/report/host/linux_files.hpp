// Reads facts from Linux's system files. ROOT is "/" or a recorded tree. A fact that no file contains is
// nullopt.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace mpsbench::report {

// Parses "KEY<separator>VALUE" lines. Removes blanks around keys and values, and quotes around values. If a
// key occurs twice, its first line counts.
[[nodiscard]] std::map<std::string, std::string> key_values(std::string_view text, char separator);

// Returns how many CPUs' worth of time the control groups (v1 or v2) allow this process, or nullopt if there
// is no limit.
[[nodiscard]] std::optional<double> cpu_quota(const std::filesystem::path& root);

}  // namespace mpsbench::report
