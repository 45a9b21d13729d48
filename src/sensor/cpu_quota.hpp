// Reads how often the CPU quotas of control groups pause this program and its workers.
#pragma once

#include "sensor/source.hpp"

#include <filesystem>
#include <utility>
#include <vector>

namespace mpsbench::sensor {

class CpuQuota final : public Source {
 public:
  explicit CpuQuota(std::filesystem::path root) : root_(std::move(root)) {}

  void read(Readings& into) override;
  // Nothing is missing where there is no quota.
  [[nodiscard]] std::vector<MissingSensor> missing() const override { return {}; }

 private:
  std::filesystem::path root_;
};

}  // namespace mpsbench::sensor
