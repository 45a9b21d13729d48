// Estimates how long launches take before any has run.
#pragma once

#include "schema/report.hpp"

#include <optional>

namespace mpsbench::report {

struct ExpectedTime {
  double seconds = 0;
  bool is_estimate = false;  // false: the limit that the launch's rules set
};

// Estimates the time of one step of PLANNED, a case of RECORD, from the network's FLOP and the device's
// ceiling in RECORD, or else an assumed rate. Returns nullopt if no network is known to run.
[[nodiscard]] std::optional<double> expected_step_seconds(const schema::RunRecord& record,
                                                          const schema::PlannedCase& planned);

// The time that a launch of PLANNED, a case of RECORD, measures, without its set-up. It is estimated from the
// expected step if the amount of work decides: with whole epochs or counted iterations, and if steps are so
// long that even the fewest take longer than the limit.
[[nodiscard]] ExpectedTime expected_time(const schema::RunRecord& record, const schema::PlannedCase& planned);

}  // namespace mpsbench::report
