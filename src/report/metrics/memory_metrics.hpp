// Peaks and growth of memory, from a case's launches.
#pragma once

#include "report/metrics/metrics.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace mpsbench::report {

// Returns the peak of the memory that limits OF, a launch or the metrics of a case: the device's memory if it
// has its own, otherwise the host's.
template <typename T>
[[nodiscard]] std::optional<std::int64_t> peak_bytes(const T& of) {
  return of.peak_device_bytes ? of.peak_device_bytes : of.peak_resident_bytes;
}

// Sets them from the GOOD launches. If a quantity is missing, NOTES says why.
void set_memory(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good,
                schema::Metrics& metrics, Notes& notes);

}  // namespace mpsbench::report
