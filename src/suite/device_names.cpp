#include "suite/device_names.hpp"

#include "base/json_reader.hpp"
#include "base/units.hpp"

#include <algorithm>

namespace mpsbench::suite {
namespace {

using schema::DeviceStatus;

constexpr std::int64_t kMaxIndex = 127;  // LibTorch keeps it in eight bits

std::string only_name(const std::string& name) {
  return name.ends_with(":0") ? name.substr(0, name.size() - 2) : name;
}

const DeviceStatus* find(const std::vector<DeviceStatus>& devices, const std::string& name) {
  const auto found = std::find_if(devices.begin(), devices.end(),
                                  [&](const DeviceStatus& status) { return status.device == name; });
  return found == devices.end() ? nullptr : &*found;
}

std::string automatic(const std::vector<DeviceStatus>& devices) {
  for (const char* name : {"cuda", "mps"}) {
    const DeviceStatus* status = find(devices, name);
    if (status != nullptr && status->usable) return name;
  }
  return "cpu";
}

std::vector<std::string> expand(const std::string& name, const DeviceList& devices) {
  if (name == "auto") return {automatic(devices())};
  if (name != "all") return {only_name(name)};
  std::vector<std::string> usable;
  for (const DeviceStatus& status : devices()) {
    if (status.usable) usable.push_back(status.device);
  }
  return usable;
}

std::string why_no_device(const std::string& name, const DeviceList& devices) {
  if (name == "cpu") return "";
  if (const DeviceStatus* status = find(devices(), name)) return status->reason;
  const std::string kind = name.substr(0, name.find(':'));
  const DeviceStatus* first = find(devices(), kind);
  if (first != nullptr && !first->usable) return first->reason;
  return "device '" + name + "' not found; see `mpsbench list devices`";
}

}  // namespace

std::string check_device_name(const std::string& name) {
  const std::vector<std::string> known{"auto", "cpu", "mps", "cuda", "all"};
  if (std::find(known.begin(), known.end(), name) != known.end() || name == "mps:0") return "";
  if (name.starts_with("mps:")) return "'" + name + "': there is one MPS device, mps";
  if (name.starts_with("cuda:")) {
    const std::string index = name.substr(5);
    const auto number = base::parse_whole_number(index);
    if (number && *number <= kMaxIndex && std::to_string(*number) == index) return "";
    return "'" + name + "': expected cuda:0 to cuda:" + std::to_string(kMaxIndex);
  }
  const bool is_some_gpu = name == "gpu" || name == "metal" || name == "apple" || name == "nvidia";
  return "unknown device '" + name + "'" +
         (is_some_gpu ? " (Apple's GPU is mps, NVIDIA's is cuda)" : base::did_you_mean(name, known)) +
         "; known: auto, cpu, mps, cuda, cuda:N, all";
}

std::vector<std::string> resolve_devices(const std::vector<std::string>& names, const DeviceList& devices) {
  std::vector<std::string> resolved;
  for (const std::string& name : names) {
    for (const std::string& device : expand(name, devices)) {
      if (std::find(resolved.begin(), resolved.end(), device) == resolved.end()) resolved.push_back(device);
    }
  }
  return resolved;
}

std::string why_unsupported(const schema::CaseSpec& spec, const DeviceList& devices) {
  if (std::string reason = why_no_device(spec.device, devices); !reason.empty()) return reason;
  if (spec.engine == "graph" && spec.pad == "longest")
    return "--engine graph replays steps of one shape, and with --pad longest they differ; use --pad max or "
           "--engine eager";
  if (spec.device.starts_with("cuda")) return "";
  if (spec.precision == "tf32")
    return "tf32 is a precision of NVIDIA's GPUs; use --precision fp32 on " + spec.device;
  if (spec.engine == "graph")
    return "--engine graph replays CUDA graphs, which " + spec.device + " does not have; use --engine eager";
  return "";
}

}  // namespace mpsbench::suite
