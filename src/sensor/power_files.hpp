// Reads the power supply (battery or mains) and low-power mode from Linux's system files.
#pragma once

#include "sensor/source.hpp"

#include <filesystem>
#include <vector>

namespace mpsbench::sensor {

class PowerFiles final : public Source {
 public:
  explicit PowerFiles(std::filesystem::path root);

  void read(Readings& into) override;
  [[nodiscard]] std::vector<MissingSensor> missing() const override { return missing_; }

 private:
  std::filesystem::path root_;
  std::vector<MissingSensor> missing_;
};

}  // namespace mpsbench::sensor
