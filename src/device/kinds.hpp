// The kinds of devices as this worker has them: one table, a row a kind.
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
  bool (*built_in)(const PlatformFacts&);           // into this LibTorch
  std::string (*why_absent)(const PlatformFacts&);  // empty: it can be tried
  std::int64_t (*count)(const PlatformFacts&);      // of those that can be tried
  void (*describe)(schema::DeviceStatus&);          // what is known of one without opening it
};

// In the order of schema::DeviceKind.
[[nodiscard]] std::span<const KindRow> kind_rows();
[[nodiscard]] const KindRow& kind_row(schema::DeviceKind kind);

}  // namespace mpsbench::device
