// The options of Google Benchmark, before it reads them itself.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace mpsbench::ops {

// WORDS with --benchmark_min_time in the form of this version of Google Benchmark: 0.02s means 0.02 and the
// other way round. Throws Error(usage) for values for which Google Benchmark would print its usage and exit
// with 0 or with the exit code of a regression, and for a file that cannot be written.
[[nodiscard]] std::vector<std::string> benchmark_words(std::vector<std::string> words);

struct FileOutput {
  std::string file;
  std::string format;  // "json", "csv" or "console"
};

// Returns what --benchmark_out and its format say, and makes WORDS name /dev/null instead: Google Benchmark
// would not check what it writes. Returns nullopt if they name no file.
[[nodiscard]] std::optional<FileOutput> take_file_output(std::vector<std::string>& words);

}  // namespace mpsbench::ops
