// The energy of a row, from the counters that were read at both ends of the measured part.
#pragma once

#include "report/metrics/metrics.hpp"
#include "schema/report.hpp"

#include <vector>

namespace mpsbench::report {

// The GPU's counter is brought up to date ten times a second or more: over less time its steps would show.
inline constexpr double kLeastEnergySeconds = 1;

// Sets energy_joules_per_row and energy_method, or the note that says why not: what the counter rose while
// the samples (or epochs) of the GOOD launches were taken / the rows of their steps. The launch's other
// parts, warm-up above all, are in neither; what the machine draws when idle is in it.
void set_energy(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good,
                schema::Metrics& metrics, Notes& notes);

}  // namespace mpsbench::report
