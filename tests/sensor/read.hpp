// Reads a source once.
#pragma once

#include "sensor/source.hpp"

namespace mpsbench::tests {

inline sensor::Readings read(sensor::Source& source) {
  sensor::Readings readings;
  source.read(readings);
  return readings;
}

}  // namespace mpsbench::tests
