// How the workers of the tests of verdicts ended.
#pragma once

#include "supervise/verdict.hpp"

namespace mpsbench::tests {

// As wait4() reports them.
inline constexpr int kExit7 = 7 << 8;
inline constexpr int kAborted = 6;
inline constexpr int kKilled = 9;
inline constexpr int kSegv = 11;
inline constexpr int kTerminated = 15;

inline const supervise::Circumstances kQuiet{"/bin/worker", 600, false};
inline const supervise::Circumstances kOomKill{"/bin/worker", 600, true};

}  // namespace mpsbench::tests
