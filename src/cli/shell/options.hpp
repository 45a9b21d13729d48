// Options of commands.
#pragma once

#include "suite/option.hpp"

#include <initializer_list>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
class ParseError;
}  // namespace CLI

namespace mpsbench::cli {

// Adds OPTION of the table to COMMAND. Its value, once checked, goes to SETTINGS.
CLI::Option& add_option(CLI::App& command, const suite::Option& option, suite::Settings& settings);
// Adds those with NAMES, "gate-on" and so on.
void add_options(CLI::App& command, std::initializer_list<const char*> names, suite::Settings& settings);

// Makes OPTION take one of NAMES only. WHAT is what the message for other values calls one of them; the
// message suggests the nearest name.
CLI::Option& take_only_names(CLI::Option& option, const std::string& what, const std::vector<std::string>& names);

// ERROR ended the parsing of APP's command line. The message suggests names for misspelt words.
[[nodiscard]] std::string parse_problem(const CLI::ParseError& error, CLI::App& app);

}  // namespace mpsbench::cli
