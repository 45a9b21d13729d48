// The options of Google Benchmark, before it reads them itself.
#pragma once

#include <string>
#include <vector>

namespace mpsbench::ops {

// WORDS with --benchmark_min_time in the form of this version of Google Benchmark: 0.02s means 0.02 and the
// other way round. Throws Error(usage) for values for which Google Benchmark would print its usage and exit
// with 0 or with the exit code of a regression. Creates the file of --benchmark_out.
[[nodiscard]] std::vector<std::string> benchmark_words(std::vector<std::string> words);

}  // namespace mpsbench::ops
