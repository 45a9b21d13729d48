#include "sensor/cpu_distance.hpp"

namespace mpsbench::sensor {

// macOS cannot bind threads to CPUs.
std::optional<double> cpu_distance_seconds(const std::vector<int>& /*cpus*/) {
  return std::nullopt;
}

}  // namespace mpsbench::sensor
