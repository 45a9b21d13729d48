#include "sensor/power_files.hpp"

#include "base/system_file.hpp"

#include <system_error>
#include <utility>

namespace mpsbench::sensor {
namespace {

namespace fs = std::filesystem;
namespace name = schema::sensor;

// Returns nullopt if the kernel does not report power supplies.
std::optional<std::string> power_source(const fs::path& root) {
  std::error_code error;
  bool battery = false;
  bool discharging = false;
  for (fs::directory_iterator supply(root / "sys/class/power_supply", error), end; !error && supply != end;
       supply.increment(error)) {
    const std::string type = base::read_first_line(supply->path() / "type");
    // Scope "Device": the battery of a mouse or a phone.
    if (base::read_first_line(supply->path() / "scope") == "Device") continue;
    if (type == "Battery") {
      battery = true;
      discharging = discharging || base::read_first_line(supply->path() / "status") == "Discharging";
    } else if (base::read_first_line(supply->path() / "online") == "1") {
      return "ac";
    }
  }
  if (error) return std::nullopt;
  return battery && discharging ? "battery" : "ac";
}

}  // namespace

Power read_power(const fs::path& root) {
  Power power{power_source(root), std::nullopt};
  const std::string profile = base::read_first_line(root / "sys/firmware/acpi/platform_profile");
  if (!profile.empty()) power.mode = profile == "low-power" ? "low-power" : "normal";
  return power;
}

PowerFiles::PowerFiles(fs::path root) : root_(std::move(root)) {
  const Power power = read_power(root_);
  if (!power.source) missing_.push_back({name::kOnBattery, "the kernel does not report power supplies", ""});
  if (!power.mode) missing_.push_back({name::kLowPowerMode, "this machine has no platform profile", ""});
}

void PowerFiles::read(Readings& into) {
  const Power power = read_power(root_);
  if (power.source) into[name::kOnBattery] = power.source == "battery" ? 1 : 0;
  if (power.mode) into[name::kLowPowerMode] = power.mode == "low-power" ? 1 : 0;
}

}  // namespace mpsbench::sensor
