// Energy by the processors' own counters (RAPL, of Intel and AMD), which Linux shows below powercap.
#pragma once

#include "sensor/source.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace mpsbench::sensor {

// Counters wrap; the readings do not, if they come at least once a turn (some minutes at full load).
class Rapl final : public Source {
 public:
  explicit Rapl(const std::filesystem::path& root);

  void read(Readings& into) override;
  [[nodiscard]] std::vector<MissingSensor> missing() const override { return missing_; }

 private:
  struct Domain {
    std::filesystem::path file;
    std::string quantity;
    std::int64_t range_uj = 0;  // of the counter, before it begins again at 0
    std::int64_t last_uj = 0;
    std::int64_t total_uj = 0;  // since the source was made
  };

  std::vector<Domain> domains_;
  std::vector<MissingSensor> missing_;
};

}  // namespace mpsbench::sensor
