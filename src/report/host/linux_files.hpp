// Reads the text of Linux's system files.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace mpsbench::report {

// Parses "KEY<separator>VALUE" lines. Removes blanks around keys and values, and quotes around values. If a
// key occurs twice, its first line counts.
[[nodiscard]] std::map<std::string, std::string> key_values(std::string_view text, char separator);

}  // namespace mpsbench::report
