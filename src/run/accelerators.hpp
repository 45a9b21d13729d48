// The devices of this machine. The worker is asked for them once, when they are first needed.
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
  // Returns a function that lists the devices. It is valid as long as this object, and throws
  // Error(interrupted), and Error(usage) if the worker has another version than this program.
  [[nodiscard]] suite::DeviceList list();

  // Returns the usable devices except the CPU, for the report. Empty if the worker was never asked.
  [[nodiscard]] std::vector<schema::Accelerator> known() const;

  // Returns LibTorch's version, or nullopt if the worker was never asked or did not answer.
  [[nodiscard]] std::optional<std::string> libtorch_version() const { return libtorch_version_; }

  // Returns why PLAN has no cases on devices that LibTorch supports but that are not usable now. The result
  // is empty if the worker was never asked.
  [[nodiscard]] std::vector<std::string> passed_over(const std::vector<schema::PlannedCase>& plan) const;

 private:
  std::optional<std::vector<schema::DeviceStatus>> devices_;
  std::optional<std::string> libtorch_version_;
};

}  // namespace mpsbench::run
