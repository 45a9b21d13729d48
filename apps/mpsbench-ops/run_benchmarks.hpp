// Runs Google Benchmark without what it says about itself.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace mpsbench::ops {

// Runs the registered operations. WORDS are the options that benchmark::Initialize() got. The lines about the
// machine go to stderr only, so that a file has nothing but CSV, JSON or the table. The warning that Google
// Benchmark's own package is a debug build is left out: it only counts and prints, and the clock is ours.
// Returns the number of operations that matched.
[[nodiscard]] std::size_t run_benchmarks(const std::vector<std::string>& words);

}  // namespace mpsbench::ops
