// The front program: parses the command line and runs one subcommand.
#pragma once

namespace mpsbench::cli {

// Returns the exit code; prints one line to stderr for an error.
int run(int argc, char** argv);

}  // namespace mpsbench::cli
