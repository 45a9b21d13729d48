// Linux's system files as facts. ROOT is "/" or a recorded tree; what a file does not tell is nullopt.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpsbench::report {

// "KEY<separator>VALUE" lines, blanks and quotes around keys and values taken off; of equal keys the first
// counts.
[[nodiscard]] std::map<std::string, std::string> key_values(std::string_view text, char separator);

// "0-3,8" -> 0 1 2 3 8, as the kernel writes lists of CPUs; what cannot be read is left out.
[[nodiscard]] std::vector<int> parse_cpu_list(std::string_view text);

// CPUs' worth of time that the control groups (v1 or v2) leave to this process; nullopt: no limit.
[[nodiscard]] std::optional<double> cpu_quota(const std::filesystem::path& root);

}  // namespace mpsbench::report
