// Devices as users name them, and what of them is here.
#pragma once

#include "schema/case_spec.hpp"
#include "schema/device_status.hpp"
#include "suite/device_choice.hpp"

#include <functional>
#include <string>
#include <vector>

namespace mpsbench::suite {

// What the worker found here. Called only when it matters: for a device other than the CPU, or for what not
// every device has, since asking takes LibTorch's start.
using DeviceList = std::function<const std::vector<schema::DeviceStatus>&()>;

// "auto", every device's name, with "cuda:N" for the further ones, and "all".
[[nodiscard]] std::vector<std::string> device_words();
// Those that can be typed as they are.
[[nodiscard]] std::vector<std::string> device_completions();

// Throws Error(usage) for a NAME that is none of these: the words of others, and the index 0 of a device of
// which there is one, are known.
[[nodiscard]] DeviceChoice parse_device(const std::string& name);

// Devices, each once: auto is the first usable of the highest rank; all is the CPU and every usable GPU.
[[nodiscard]] std::vector<schema::DeviceId> resolve_devices(const std::vector<DeviceChoice>& choices,
                                                            const DeviceList& devices);

// Why a case cannot be measured here, with the cure; empty when it can, as far as the worker says: its
// device, or a precision or engine that the device does not have.
[[nodiscard]] std::string why_unsupported(const schema::CaseSpec& spec, const DeviceList& devices);

}  // namespace mpsbench::suite
