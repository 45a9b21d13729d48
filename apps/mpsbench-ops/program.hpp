// `mpsbench-ops`: times single operations on each device with Google Benchmark.
#pragma once

namespace mpsbench::ops {

// Returns the program's exit code. Every error that a user can cause is reported as one line on stderr.
[[nodiscard]] int run(int argc, char** argv);

}  // namespace mpsbench::ops
