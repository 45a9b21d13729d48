// The front program: parses the command line and runs one subcommand.
#pragma once

namespace mpsbench::cli {

// Returns the exit code. Prints one line to stderr if there is an error.
int run(int argc, char** argv);

}  // namespace mpsbench::cli
