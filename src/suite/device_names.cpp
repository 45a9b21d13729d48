#include "suite/device_names.hpp"

#include "base/json_reader.hpp"
#include "base/units.hpp"

#include <algorithm>

namespace mpsbench::suite {
namespace {

constexpr std::int64_t kMaxIndex = 127;  // LibTorch keeps it in eight bits

}  // namespace

std::string check_device_name(const std::string& name) {
  const std::vector<std::string> known{"auto", "cpu", "mps", "cuda", "all"};
  if (std::find(known.begin(), known.end(), name) != known.end()) return "";
  if (name.starts_with("cuda:")) {
    const std::string index = name.substr(5);
    const auto number = base::parse_whole_number(index);
    if (number && *number <= kMaxIndex && std::to_string(*number) == index) return "";
    return "'" + name + "': expected cuda:0 to cuda:" + std::to_string(kMaxIndex);
  }
  return "unknown device '" + name + "'" + base::did_you_mean(name, known) +
         "; known: auto, cpu, mps, cuda, cuda:N, all";
}

std::vector<std::string> resolve_devices(const std::vector<std::string>& names) {
  std::vector<std::string> devices;
  for (const std::string& name : names) {
    const std::string device = name == "auto" || name == "all" ? "cpu" : name;
    if (std::find(devices.begin(), devices.end(), device) == devices.end()) devices.push_back(device);
  }
  return devices;
}

std::string why_unsupported(const std::string& device) {
  if (device == "cpu") return "";
  return (device == "mps" ? "MPS" : "CUDA") +
         std::string(" devices are not measured by this version; use --device cpu");
}

}  // namespace mpsbench::suite
