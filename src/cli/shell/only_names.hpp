// Options and positionals that take one of some names.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class Option;
}

namespace mpsbench::cli {

// Makes OPTION take one of NAMES only. WHAT is what the message for other values calls one of them; the
// message suggests the nearest name.
CLI::Option& take_only_names(CLI::Option& option, const std::string& what,
                             const std::vector<std::string>& names);

}  // namespace mpsbench::cli
