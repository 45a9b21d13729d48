// Measures a loop with any timer, so that tests can use a scripted one.
#pragma once

#include "library/timing.hpp"
#include "measure/timer.hpp"

#include <functional>

namespace mpsbench::library {

// Does what time_loop() does. TIMER also waits for the device.
[[nodiscard]] Report loop_report(const Loop& loop, const std::function<void()>& step, measure::Timer& timer);

}  // namespace mpsbench::library
