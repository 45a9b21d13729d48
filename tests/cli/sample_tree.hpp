// A command line whose texts hold whatever a shell or roff takes for its own.
#pragma once

#include "cli/shell/command_tree.hpp"

namespace mpsbench::tests {

inline cli::Command sample_tree() {
  const cli::Argument mode{{"-m", "--mode"}, "A,B", "it's [this]: \\ or that", {"train", "infer"}, true, false, false};
  const cli::Argument quiet{{"--quiet"}, "", "say less", {}, false, false, false};
  const cli::Argument file{{"FILE"}, "FILE", "a file", {}, false, true, true};
  const cli::Command run{"run", "do it: now", ".first\n\n'second", {mode, quiet}, {file}, {}};
  return {"", "A program", "Exit codes: 0", {quiet}, {}, {run}};
}

}  // namespace mpsbench::tests
