// Reports are meant to be shared, so this keeps user names, home folders and secrets of the environment out of them.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace mpsbench::report {

// Returns TEXT with every home folder (HOME's, /home/NAME, /Users/NAME, /root) replaced by "~".
[[nodiscard]] std::string hide_home(std::string_view text);
[[nodiscard]] std::string hide_home(std::string_view text, std::string_view home);

// Turns a path from a report, such as "~/x", into a path on this machine. Returns other paths unchanged.
[[nodiscard]] std::string expand_home(std::string_view path);

// Returns the variables that reports show (variables.hpp), without what may be private: home folders become
// "~", other absolute paths lose their folders, and a variable that may hold a secret, a name or an address
// is left out. ENVIRONMENT is an array as main() receives it; nullptr ends it.
[[nodiscard]] std::map<std::string, std::string> allowed_environment(const char* const* environment);

}  // namespace mpsbench::report
