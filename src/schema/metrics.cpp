#include "schema/metrics.hpp"

#include <cmath>

namespace mpsbench::schema {

std::string percentile_key(double percent) {
  return nlohmann::json(percent == std::floor(percent) ? nlohmann::json(std::llround(percent))
                                                       : nlohmann::json(percent))
      .dump();
}

}  // namespace mpsbench::schema
