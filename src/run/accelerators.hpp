// The devices of this machine, asked of the worker once and only when somebody wants to know.
#pragma once

#include "schema/host.hpp"
#include "schema/report.hpp"
#include "suite/device_names.hpp"

#include <optional>
#include <string>
#include <vector>

namespace mpsbench::run {

class Accelerators {
 public:
  // Valid as long as this object. Throws Error(interrupted).
  [[nodiscard]] suite::DeviceList list();

  // Usable ones other than the CPU, as the report shows them; none when nobody asked.
  [[nodiscard]] std::vector<schema::Accelerator> known() const;

  // Why devices that LibTorch has, but that cannot be used now, are not among the cases of PLAN; none when
  // nobody asked.
  [[nodiscard]] std::vector<std::string> passed_over(const std::vector<schema::PlannedCase>& plan) const;

 private:
  std::optional<std::vector<schema::DeviceStatus>> devices_;
};

}  // namespace mpsbench::run
