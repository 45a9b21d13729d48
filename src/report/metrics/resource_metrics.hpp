// What a case used: energy and memory.
#pragma once

#include "report/metrics/metrics.hpp"
#include "schema/launch.hpp"
#include "schema/report.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace mpsbench::report {

// The energy per row, from counters that were read before and after the measured part.

// The GPU's counter is updated at least ten times a second. Over a shorter time, the updates would be too
// coarse.
inline constexpr double kLeastEnergySeconds = 1;

// Sets energy_joules_per_row and energy_method, or the note that says why there is none. The energy is how
// much the counter rose while the samples (or epochs) of the GOOD launches were taken, divided by the rows of
// their steps. Neither includes other parts of the launch, such as the warm-up. The energy includes what the
// machine draws when idle. With several ranks, it is the sum over their GPUs or, on the CPU, their machines.
void set_energy(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good, schema::Metrics& metrics,
                Notes& notes);

// Whether a launch's live memory grew with its steps.
inline constexpr std::int64_t kLeakBytes = 1 << 20;  // growth in each of the last three quarters

// Returns the growth in bytes per step over the second half of the launch, when its allocator is warm.
// Returns nullopt if there are too few readings.
[[nodiscard]] std::optional<double> live_bytes_per_step(const schema::Launch& launch);

// Whether live memory grew by more than kLeakBytes in the second, the third and the fourth quarter. An
// allocator that is only warming up stops growing.
[[nodiscard]] bool is_leaking(const schema::Launch& launch);

// Peaks and growth of memory, from a case's launches.

// Returns the peak of the memory that limits OF, a launch or the metrics of a case: the device's memory if it
// has its own, otherwise the host's.
template <typename T>
[[nodiscard]] std::optional<std::int64_t> peak_bytes(const T& of) {
  return of.peak_device_bytes ? of.peak_device_bytes : of.peak_resident_bytes;
}

// Sets them from the GOOD launches. If a quantity is missing, NOTES says why.
void set_memory(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good, schema::Metrics& metrics,
                Notes& notes);

}  // namespace mpsbench::report
