// Which precisions a kind of device computes in.
#pragma once

#include "schema/device_id.hpp"
#include "schema/precision.hpp"

#include <string>

namespace mpsbench::device {

// Returns why devices of KIND do not compute in PRECISION, and what to do about it. Returns an empty text if
// they do.
[[nodiscard]] std::string why_no_precision(schema::DeviceKind kind, schema::Precision precision);

// Throws Error(no_device) with that reason if devices of KIND do not compute in PRECISION.
void require_precision(schema::DeviceKind kind, schema::Precision precision);

}  // namespace mpsbench::device
