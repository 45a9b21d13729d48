#include "cli/shell/only_names.hpp"

#include "base/json_reader.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace mpsbench::cli {

CLI::Option& take_only_names(CLI::Option& option, const std::string& what,
                             const std::vector<std::string>& names) {
  const auto refusal = [what, names](const std::string& name) {
    if (std::ranges::find(names, name) != names.end()) return std::string();
    const std::string problem = name.empty() ? fmt::format("found an empty value, expected a {}", what)
                                             : fmt::format("unknown {} '{}'{}", what, base::excerpt(name),
                                                           base::did_you_mean(name, names));
    return fmt::format("{}; known: {}", problem, fmt::join(names, ", "));
  };
  // Completion and --help read the names from this description, as from that of CLI::IsMember.
  return *option.check(CLI::Validator(refusal, fmt::format("{{{}}}", fmt::join(names, ",")), what));
}

}  // namespace mpsbench::cli
