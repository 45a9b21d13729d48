// Reads the energy counters (RAPL) of Intel's and AMD's processors, which Linux shows under powercap.
#pragma once

#include "sensor/source.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace mpsbench::sensor {

// The counters wrap around after some minutes at full load. The readings do not, if read() is called at least
// once in that time.
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
