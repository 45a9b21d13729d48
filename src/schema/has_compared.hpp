// Which launches compared themselves with a reference before they measured.
#pragma once

#include "schema/launch.hpp"

namespace mpsbench::schema {

// The key of sensor_notes that says why a launch could not be compared.
inline constexpr const char* kAgreementNote = "agreement";

// Whether LAUNCH compared itself or tried to. Then its process held copies of the network, so
// peak_resident_bytes is larger than in other launches.
[[nodiscard]] inline bool has_compared(const Launch& launch) {
  return !launch.agreement.empty() || launch.sensor_notes.contains(kAgreementNote);
}

}  // namespace mpsbench::schema
