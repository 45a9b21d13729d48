// Bencher Metric Format (bencher.dev), for its adapter "json".
#pragma once

#include "schema/report.hpp"

#include <string>

namespace mpsbench::output {

// By case: "latency", the step in nanoseconds, and "throughput", rows a second, each with its 95 % interval.
// Cases without figures are left out.
[[nodiscard]] std::string to_bencher(const schema::Report& report);

}  // namespace mpsbench::output
