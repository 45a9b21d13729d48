// The program's own options; all others are Google Benchmark's.
#pragma once

#include "suite/device_choice.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::ops {

inline constexpr const char* kUsage =
    "mpsbench-ops [--device NAME,...] [--threads N] [options of Google Benchmark]\n"
    "  Times single operations by the host's clock around a synchronise of the device.\n"
    "  --device NAME,...        auto, all, or names that `mpsbench list devices` shows (default: all)\n"
    "  --threads N              threads inside an operation (default: LibTorch's)\n"
    "  --benchmark_list_tests   the operations, one a line\n"
    "  --benchmark_filter=REGEX, --benchmark_format=console|json|csv, --benchmark_out=FILE,\n"
    "  --benchmark_min_time, --benchmark_repetitions=N, ...: as of every Google Benchmark program\n";

struct Arguments {
  std::vector<suite::DeviceChoice> devices{{suite::DeviceChoice::Kind::all, {}}};
  std::optional<std::int64_t> threads;
  std::optional<std::int64_t> front_pid;  // of mpsbench run, with which this program shall end
  bool help = false;
  std::vector<std::string> others;  // without the program's name
};

// Throws Error(usage) that names the option.
[[nodiscard]] Arguments parse_arguments(const std::vector<std::string>& words);

}  // namespace mpsbench::ops
