// Reports are made to be shared: no user name, home folder or secret of the environment leaves the machine.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace mpsbench::report {

// TEXT with every home folder (HOME's, /home/NAME, /Users/NAME, /root) replaced by "~".
[[nodiscard]] std::string hide_home(std::string_view text);
[[nodiscard]] std::string hide_home(std::string_view text, std::string_view home);

// A path from a report, "~/x", as it is here; others unchanged.
[[nodiscard]] std::string expand_home(std::string_view path);

// The variables that may stand in a report, of an environment as main() gets it (nullptr ends it).
[[nodiscard]] std::map<std::string, std::string> allowed_environment(const char* const* environment);

}  // namespace mpsbench::report
