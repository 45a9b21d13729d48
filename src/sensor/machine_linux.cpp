#include "sensor/rapl.hpp"
#include "sensor/system_files.hpp"

namespace mpsbench::sensor {

Sources machine_sources(const Places& places) {
  Sources sources;
  // Comes first, so that energy is read as close as possible to the start and end of the measurement.
  sources.push_back(std::make_unique<Rapl>(places.root));
  sources.push_back(std::make_unique<CpuFiles>(places.root));
  sources.push_back(std::make_unique<CpuQuota>(places.root));
  sources.push_back(std::make_unique<PowerFiles>(places.root));
  return sources;
}

}  // namespace mpsbench::sensor
