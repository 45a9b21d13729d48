// The devices of this machine, asked of the worker once and only when somebody wants to know.
#pragma once

#include "schema/host.hpp"
#include "suite/device_names.hpp"

#include <optional>
#include <vector>

namespace mpsbench::cli {

class Accelerators {
 public:
  // Valid as long as this object. Throws Error(interrupted).
  [[nodiscard]] suite::DeviceList list();

  // Usable ones other than the CPU, as the report shows them; none when nobody asked.
  [[nodiscard]] std::vector<schema::Accelerator> known() const;

 private:
  std::optional<std::vector<schema::DeviceStatus>> devices_;
};

}  // namespace mpsbench::cli
