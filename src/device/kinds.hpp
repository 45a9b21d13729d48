// The table of device kinds in this worker, with one row per kind.
#pragma once

#include "device/availability.hpp"
#include "device/capabilities.hpp"
#include "schema/device_status.hpp"

#include <c10/core/DeviceType.h>

#include <cstdint>
#include <span>
#include <string>

namespace mpsbench::device {

struct KindRow {
  schema::DeviceKind kind;
  c10::DeviceType torch;
  Capabilities capabilities;
  bool (*built_in)(const PlatformFacts&);           // whether this LibTorch has the kind
  std::string (*why_absent)(const PlatformFacts&);  // empty if the kind can be tried
  std::int64_t (*count)(const PlatformFacts&);      // how many devices can be tried
  void (*describe)(schema::DeviceStatus&);          // fills in what is known without opening the device
};

// Returns all rows, in the order of schema::DeviceKind.
[[nodiscard]] std::span<const KindRow> kind_rows();
[[nodiscard]] const KindRow& kind_row(schema::DeviceKind kind);

}  // namespace mpsbench::device
