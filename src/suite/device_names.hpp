// Devices as users name them, and what of them is here.
#pragma once

#include "schema/case_spec.hpp"
#include "schema/device_status.hpp"

#include <functional>
#include <string>
#include <vector>

namespace mpsbench::suite {

// What the worker found here. Called only when a device other than the CPU is in question, since asking takes
// LibTorch's start.
using DeviceList = std::function<const std::vector<schema::DeviceStatus>&()>;

// What is wrong with NAME, or empty: auto, cpu, mps, mps:0, cuda, cuda:N and all are known.
[[nodiscard]] std::string check_device_name(const std::string& name);

// NAMES as devices by their only names, each once: auto is the first usable of cuda, mps and cpu; all is the
// CPU and every usable GPU.
[[nodiscard]] std::vector<std::string> resolve_devices(const std::vector<std::string>& names,
                                                       const DeviceList& devices);

// Why a case cannot be measured here, with the cure; empty when it can: its device, or a precision or engine
// that the device does not have.
[[nodiscard]] std::string why_unsupported(const schema::CaseSpec& spec, const DeviceList& devices);

}  // namespace mpsbench::suite
