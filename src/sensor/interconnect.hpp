// How this machine's GPUs are connected, and the network between the processes of a run.
#pragma once

#include "schema/host.hpp"
#include "sensor/source.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::sensor {

// Returns nullopt unless there are two NVIDIA GPUs or more.
[[nodiscard]] std::optional<schema::Interconnect> read_interconnect(const Places& places);

// Returns the network that reaches the host ADDRESS (a name or an address), or nullopt if nothing does.
// Nothing is sent, except what finding the address of a name needs. Reads speeds from the system files under
// ROOT ("/", or a recorded tree in tests).
[[nodiscard]] std::optional<schema::Network> read_network(const std::filesystem::path& root,
                                                          const std::string& address);

// Returns the names of this machine's interfaces that have an address.
[[nodiscard]] std::vector<std::string> network_interfaces();

}  // namespace mpsbench::sensor
