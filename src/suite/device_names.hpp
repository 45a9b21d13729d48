// Devices as users name them.
#pragma once

#include <string>
#include <vector>

namespace mpsbench::suite {

// What is wrong with NAME, or empty: auto, cpu, mps, cuda, cuda:N and all are known.
[[nodiscard]] std::string check_device_name(const std::string& name);

// NAMES as devices of this program, each once: auto and all become cpu.
[[nodiscard]] std::vector<std::string> resolve_devices(const std::vector<std::string>& names);

// Why DEVICE cannot be measured, with the cure; empty when it can.
[[nodiscard]] std::string why_unsupported(const std::string& device);

}  // namespace mpsbench::suite
