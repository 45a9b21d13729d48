// What Google Benchmark writes with --benchmark_format=json, for the programs that read it, like its
// compare.py.
#pragma once

#include "schema/report.hpp"

#include <string>

namespace mpsbench::output {

// A repetition is a launch that ended well; its time is its median step, in nanoseconds, so that the
// aggregate "median" is the report's figure. CPU time is not measured: real_time stands in its place, since
// readers need a number. A case without figures is one entry with error_occurred.
[[nodiscard]] std::string to_google_benchmark(const schema::Report& report);

}  // namespace mpsbench::output
