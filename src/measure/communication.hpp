// Measures what it costs that processes average their gradients.
#pragma once

#include "measure/agreement.hpp"
#include "measure/step.hpp"
#include "measure/timer.hpp"
#include "schema/launch.hpp"
#include "schema/measure_spec.hpp"

namespace mpsbench::measure {

struct CommunicationRule {
  static constexpr double kShare = 0.05;  // of the launch's time, for each of both parts
  static constexpr double kLeastWindows = 3;
  static constexpr double kMostWindows = 50;
};

// COMPUTE is the measured step without averaging, and has no preparation left. AVERAGE averages the gradients
// of one step, and nothing else. LAUNCH has been measured, and the processes have agreed on its samples.
// Fills its communication and the rank's compute_step_seconds.
void measure_communication(Step& compute, Step& average, Timer& timer, Agreement& agreement,
                           const schema::MeasureSpec& spec, schema::Launch& launch);

}  // namespace mpsbench::measure
