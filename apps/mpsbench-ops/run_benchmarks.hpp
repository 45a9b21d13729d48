// Runs Google Benchmark without what it says about itself.
#pragma once

#include "benchmark_words.hpp"

#include <cstddef>
#include <optional>

namespace mpsbench::ops {

// Runs the registered operations, and writes FILE at the end if it is given. The lines about the machine go
// to stderr only, so that the file has nothing but CSV, JSON or the table. The warning that Google
// Benchmark's own package is a debug build is left out: it only counts and prints, and the clock is ours.
// Returns the number of operations that matched. Throws Error(incomplete) if the file cannot be written.
[[nodiscard]] std::size_t run_benchmarks(const std::optional<FileOutput>& file);

}  // namespace mpsbench::ops
