// One item of --device.
#pragma once

#include "schema/device_id.hpp"

namespace mpsbench::suite {

struct DeviceChoice {
  enum class Kind { automatic, all, one };
  Kind kind = Kind::automatic;
  schema::DeviceId device;  // of one

  bool operator==(const DeviceChoice&) const = default;
};

}  // namespace mpsbench::suite
