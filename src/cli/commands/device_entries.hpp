// What `mpsbench list devices` shows: the worker's devices, and what only the front reads of the machine.
#pragma once

#include "schema/device_status.hpp"
#include "schema/host.hpp"

#include <nlohmann/json.hpp>

#include <vector>

namespace mpsbench::cli {

// Gives the CPU its model's name and the machine's memory.
void describe_cpu(std::vector<schema::DeviceStatus>& devices, const schema::HostInfo& host);

// One object per device.
[[nodiscard]] nlohmann::ordered_json device_entries(const std::vector<schema::DeviceStatus>& devices,
                                                    const schema::HostInfo& host);

}  // namespace mpsbench::cli
