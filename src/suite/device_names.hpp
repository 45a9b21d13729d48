// Devices as users name them, and what of them is here.
#pragma once

#include "schema/case_spec.hpp"
#include "schema/device_status.hpp"

#include <functional>
#include <string>
#include <vector>

namespace mpsbench::suite {

// What the worker found here. Called only when it matters: for a device other than the CPU, or for what not
// every device has, since asking takes LibTorch's start.
using DeviceList = std::function<const std::vector<schema::DeviceStatus>&()>;

inline constexpr const char* kAutomatic = "auto";

// "auto", every device's name, with "cuda:N" for the further ones, and "all".
[[nodiscard]] std::vector<std::string> device_words();
// Those that can be typed as they are.
[[nodiscard]] std::vector<std::string> device_completions();

// What is wrong with NAME, or empty: the words, the index 0 of a device of which there is one, and those of
// others are known.
[[nodiscard]] std::string check_device_name(const std::string& name);

[[nodiscard]] bool is_the_cpu(const std::string& name);

// NAMES, which check_device_name lets pass, as devices, each once: auto is the first usable of the highest
// rank; all is the CPU and every usable GPU.
[[nodiscard]] std::vector<schema::DeviceId> resolve_devices(const std::vector<std::string>& names,
                                                            const DeviceList& devices);

// Why a case cannot be measured here, with the cure; empty when it can, as far as the worker says: its
// device, or a precision or engine that the device does not have.
[[nodiscard]] std::string why_unsupported(const schema::CaseSpec& spec, const DeviceList& devices);

}  // namespace mpsbench::suite
