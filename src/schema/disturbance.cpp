#include "schema/disturbance.hpp"

namespace mpsbench::schema {

bool shows_background_load(const std::vector<SensorRecord>& sensors) {
  return sensor_value(sensors, sensor::kOtherCpuShare).value_or(0) > kBackgroundCpuShare ||
         sensor_value(sensors, sensor::kGpuOtherUtilization).value_or(0) > kBackgroundGpuShare;
}

}  // namespace mpsbench::schema
