// The energy per row, from counters that were read before and after the measured part.
#pragma once

#include "report/metrics/metrics.hpp"
#include "schema/report.hpp"

#include <vector>

namespace mpsbench::report {

// The GPU's counter is updated at least ten times a second. Over a shorter time, the updates would be too
// coarse.
inline constexpr double kLeastEnergySeconds = 1;

// Sets energy_joules_per_row and energy_method, or the note that says why there is none. The energy is how
// much the counter rose while the samples (or epochs) of the GOOD launches were taken, divided by the rows of
// their steps. Neither includes other parts of the launch, such as the warm-up. The energy includes what the
// machine draws when idle. With several ranks, it is the sum over their GPUs or, on the CPU, their machines.
void set_energy(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good,
                schema::Metrics& metrics, Notes& notes);

}  // namespace mpsbench::report
