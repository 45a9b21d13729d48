// The counts of work of the networks in these tests.
#pragma once

#include "report/metrics/metrics.hpp"

namespace mpsbench::tests {

inline constexpr report::WorkCounts kWorkCounts{100, 90, 4'000};

}  // namespace mpsbench::tests
