// The Bencher Metric Format (bencher.dev), which its adapter "json" reads.
#pragma once

#include "schema/report.hpp"

#include <string>

namespace mpsbench::output {

// Each case has "latency", the step in nanoseconds, and "throughput", rows per second, with 95 % intervals.
// Leaves out cases without figures.
[[nodiscard]] std::string to_bencher(const schema::Report& report);

}  // namespace mpsbench::output
