// Several processes that run a launch together: what they agree on, and what averaging their gradients costs.
#pragma once

#include "base/interface.hpp"
#include "measure/step.hpp"
#include "measure/timer.hpp"
#include "schema/launch.hpp"
#include "schema/measure_spec.hpp"

#include <span>

namespace mpsbench::measure {

// Lets the processes of a launch agree on numbers. All decisions in measure/ follow from the case and from numbers that
// went through here, so every process makes the same calls in the same order: a step may need all processes, and one
// that ran an extra step would wait for the others forever. Called only between timed windows.
class Agreement : public base::Interface {
 public:
  // Waits for the other processes, then sets each number to the largest value that any process passed there.
  virtual void take_largest(std::span<double> numbers) = 0;
  // Whether there are several processes that read one clock, so that the times of one mean something to the
  // others.
  [[nodiscard]] virtual bool shares_clock() const { return false; }
};

// Returns the agreement for a launch that runs in one process: its numbers stay as they are.
[[nodiscard]] Agreement& alone();

struct CommunicationRule {
  static constexpr double kShare = 0.05;  // of the launch's time, for each of both parts
  static constexpr double kLeastWindows = 3;
  static constexpr double kMostWindows = 50;
};

// Measures what it costs that processes average their gradients. COMPUTE is the measured step without averaging,
// AVERAGE averages the gradients of one step. Fills communication of LAUNCH, which has been measured, and the rank's
// compute_step_seconds.
void measure_communication(Step& compute, Step& average, Timer& timer, Agreement& agreement,
                           const schema::MeasureSpec& spec, schema::Launch& launch);

}  // namespace mpsbench::measure
