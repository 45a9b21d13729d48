#include "sensor/cpu_distance.hpp"
#include "sensor/source.hpp"

#include <CoreFoundation/CoreFoundation.h>
#include <IOKit/ps/IOPowerSources.h>
#include <objc/message.h>
#include <objc/runtime.h>

namespace mpsbench::sensor {
namespace {

namespace name = schema::sensor;

// Calls [[NSProcessInfo processInfo] PROPERTY] from C++.
template <typename Value>
Value process_info(const char* property) {
  auto* send_to_class = reinterpret_cast<id (*)(Class, SEL)>(objc_msgSend);
  auto* send = reinterpret_cast<Value (*)(id, SEL)>(objc_msgSend);
  const id info = send_to_class(objc_getClass("NSProcessInfo"), sel_registerName("processInfo"));
  return send(info, sel_registerName(property));
}

std::optional<std::string> power_source() {
  const CFTypeRef sources = IOPSCopyPowerSourcesInfo();
  if (sources == nullptr) return std::nullopt;
  const CFStringRef providing = IOPSGetProvidingPowerSourceType(sources);
  const bool battery =
      providing != nullptr && CFStringCompare(providing, CFSTR("Battery Power"), 0) == kCFCompareEqualTo;
  CFRelease(sources);
  return battery ? "battery" : "ac";
}

class Mac final : public Source {
 public:
  void read(Readings& into) override {
    const Power power = read_power("/");
    if (power.source) into[name::kOnBattery] = power.source == "battery" ? 1 : 0;
    into[name::kLowPowerMode] = power.mode == "low-power" ? 1 : 0;
    into[name::kThermalState] = static_cast<double>(process_info<long>("thermalState"));
  }

  [[nodiscard]] std::vector<MissingSensor> missing() const override {
    const std::string reason = "this version does not read it (macOS has it in IOReport)";
    return {{name::kCpuEnergy, reason}, {name::kGpuEnergy, reason}, {name::kCpuClock, reason}};
  }
};

}  // namespace

Power read_power(const std::filesystem::path& /*root*/) {
  // Macs have this mode since macOS 12.
  const bool told =
      class_respondsToSelector(objc_getClass("NSProcessInfo"), sel_registerName("isLowPowerModeEnabled")) != 0;
  const bool low = told && process_info<BOOL>("isLowPowerModeEnabled") != 0;
  return {power_source(), low ? "low-power" : "normal"};
}

Sources machine_sources(const Places& /*places*/) {
  Sources sources;
  sources.push_back(std::make_unique<Mac>());
  return sources;
}

// macOS cannot bind threads to CPUs.
std::optional<double> cpu_distance_seconds(const std::vector<int>& /*cpus*/) {
  return std::nullopt;
}

}  // namespace mpsbench::sensor
