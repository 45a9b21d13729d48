// The pairs of -f FORMAT and -o FILE of `run`.
#pragma once

#include "cli/commands/output_file.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace mpsbench::cli {

// One -f or -o of the command line.
struct OutputWord {
  bool is_file = false;
  std::string text;
};

// Adds -f and -o, each of which may be given several times. WORDS receives them in the order of the command
// line.
void add_paired_outputs(CLI::App& command, std::vector<OutputWord>& words);

// Returns the outputs that WORDS ask for. An -o belongs to the -f directly before it; a single -f and a
// single -o belong together in either order. An -o alone takes the format of its ending, and an -f alone goes
// to stdout. Throws Error(usage), also if two outputs go to the same place.
[[nodiscard]] std::vector<ChosenOutput> paired_outputs(const std::vector<OutputWord>& words);

}  // namespace mpsbench::cli
