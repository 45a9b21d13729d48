// Reads the CPU's clocks, temperature and thermal throttling from Linux's system files.
#pragma once

#include "sensor/source.hpp"

#include <filesystem>
#include <vector>

namespace mpsbench::sensor {

class CpuFiles final : public Source {
 public:
  explicit CpuFiles(const std::filesystem::path& root);

  void read(Readings& into) override;
  [[nodiscard]] std::vector<MissingSensor> missing() const override;

 private:
  using Files = std::vector<std::filesystem::path>;

  Files clocks_;        // kHz
  Files temperatures_;  // thousandths of a °C
  Files throttles_;     // events
};

}  // namespace mpsbench::sensor
