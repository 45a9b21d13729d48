// What is wrong with a command line, in the words of this program instead of the parser's.
#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace mpsbench::cli {

// ERROR ended the parsing of APP's command line. The message suggests names for misspelt words.
[[nodiscard]] std::string parse_problem(const CLI::ParseError& error, CLI::App& app);

}  // namespace mpsbench::cli
