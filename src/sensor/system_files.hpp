// Sensors in Linux's system files: clocks, temperature, throttling, quotas of control groups, power
// supply, energy.
#pragma once

#include "sensor/source.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace mpsbench::sensor {

// Reads the CPU's clocks, temperature and thermal throttling from Linux's system files.
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

// Reads how often the CPU quotas of control groups pause this program and its workers.
class CpuQuota final : public Source {
 public:
  explicit CpuQuota(std::filesystem::path root) : root_(std::move(root)) {}

  void read(Readings& into) override;
  // Nothing is missing where there is no quota.
  [[nodiscard]] std::vector<MissingSensor> missing() const override { return {}; }

 private:
  std::filesystem::path root_;
};

// Reads the power supply (battery or mains) and low-power mode from Linux's system files.
class PowerFiles final : public Source {
 public:
  explicit PowerFiles(std::filesystem::path root);

  void read(Readings& into) override;
  [[nodiscard]] std::vector<MissingSensor> missing() const override { return missing_; }

 private:
  std::filesystem::path root_;
  std::vector<MissingSensor> missing_;
};

// Reads the energy counters (RAPL) of Intel's and AMD's processors, which Linux shows under powercap. They wrap
// around after some minutes at full load. The readings do not, if read() is called at least once in that time.
class Rapl final : public Source {
 public:
  explicit Rapl(const std::filesystem::path& root);

  void read(Readings& into) override;
  [[nodiscard]] std::vector<MissingSensor> missing() const override { return missing_; }

 private:
  struct Domain {
    std::filesystem::path file;
    std::string quantity;
    std::int64_t range_uj = 0;  // the counter's range: it then starts again at 0
    std::int64_t last_uj = 0;
    std::int64_t total_uj = 0;  // counted since the source was made
  };

  std::vector<Domain> domains_;
  std::vector<MissingSensor> missing_;
};

}  // namespace mpsbench::sensor
