// `mpsbench-ops`: single operations on each device, timed through Google Benchmark.
#pragma once

namespace mpsbench::ops {

// The program's exit code. Everything that a user can cause is one line on stderr.
[[nodiscard]] int run(int argc, char** argv);

}  // namespace mpsbench::ops
