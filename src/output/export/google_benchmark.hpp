// The JSON of Google Benchmark's --benchmark_format=json, for programs that read it, such as its compare.py.
#pragma once

#include "schema/report.hpp"

#include <string>

namespace mpsbench::output {

// A repetition is a launch that ended well. Its time is its median step in nanoseconds, so that the aggregate
// "median" is the report's figure. CPU time is not measured; cpu_time repeats real_time, because readers need
// a number. A case without figures is one entry with error_occurred.
[[nodiscard]] std::string to_google_benchmark(const schema::Report& report);

}  // namespace mpsbench::output
