// Where readings of the machine come from. Each class reads one mechanism of the system.
#pragma once

#include "base/interface.hpp"
#include "schema/sensor.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::sensor {

// Values by the names in schema::sensor_quantities(), in their units. Counters only rise.
using Readings = std::map<std::string, double>;

// A quantity that cannot be read here.
struct MissingSensor {
  std::string name;
  std::string reason;
  std::string cure{};  // what the user can do, or empty
};

class Source : public base::Interface {
 public:
  // Adds what can be read now and leaves out the rest. Must be very fast, because a measurement runs
  // meanwhile.
  virtual void read(Readings& into) = 0;

  // Returns what could not be read when the source was made.
  [[nodiscard]] virtual std::vector<MissingSensor> missing() const { return {}; }
};

using Sources = std::vector<std::unique_ptr<Source>>;

// Where a machine's sensors are. Tests use recorded file trees and a fake library instead.
struct Places {
  std::filesystem::path root = "/";
  std::string nvml = "libnvidia-ml.so.1";
};

// Returns all sources except those of GPUs (NvmlGpu).
[[nodiscard]] Sources machine_sources(const Places& places);

// The power supply and mode of a machine, as reports show them.
struct Power {
  std::optional<std::string> source;  // "ac" or "battery"
  std::optional<std::string> mode;    // "normal" or "low-power"
};
[[nodiscard]] Power read_power(const std::filesystem::path& root);

}  // namespace mpsbench::sensor
