// Finds out how this machine's GPUs are connected.
#pragma once

#include "schema/interconnect.hpp"
#include "sensor/source.hpp"

#include <optional>

namespace mpsbench::sensor {

// Returns nullopt unless there are two NVIDIA GPUs or more.
[[nodiscard]] std::optional<schema::Interconnect> read_interconnect(const Places& places);

}  // namespace mpsbench::sensor
