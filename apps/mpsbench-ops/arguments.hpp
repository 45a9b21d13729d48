// The program's own options, and those of Google Benchmark before it reads them itself.
#pragma once

#include "suite/option_values.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::ops {

inline constexpr const char* kUsage =
    "mpsbench-ops [--device NAME,...] [--threads N] [options of Google Benchmark]\n"
    "  Times single operations with the host's clock; the device is synchronised before the clock is read.\n"
    "  --device NAME,...        auto, all, or names that `mpsbench list devices` shows (default: all)\n"
    "  --threads N              threads inside an operation (default: chosen by LibTorch)\n"
    "  --filter RE              time only the operations whose names match this regular expression\n"
    "  --benchmark_list_tests   list the operations, one per line\n"
    "  --benchmark_format=console|json|csv, --benchmark_out=FILE,\n"
    "  --benchmark_min_time=0.5s, --benchmark_repetitions=N, --benchmark_time_unit=ms, ...: as in every\n"
    "  Google Benchmark program; write values after =\n";

struct Arguments {
  std::vector<suite::DeviceChoice> devices{{suite::DeviceChoice::Kind::all, {}}};
  std::optional<std::int64_t> threads;
  std::optional<std::string> filter;  // a regular expression for names of operations
  // Process id of mpsbench run; this program must end when that process does.
  std::optional<std::int64_t> front_pid;
  bool help = false;
  std::vector<std::string> others;  // Google Benchmark's, without the program's name
};

// Throws Error(usage) that names the option.
[[nodiscard]] Arguments parse_arguments(const std::vector<std::string>& words);

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
