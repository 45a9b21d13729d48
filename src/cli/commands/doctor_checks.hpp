// What would spoil a measurement, as rules over facts: tests feed the facts.
#pragma once

#include "schema/host.hpp"
#include "schema/messages.hpp"
#include "sensor/nvml_gpu.hpp"
#include "sensor/source.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::cli {

struct DoctorFacts {
  schema::ToolInfo tool;
  schema::HostInfo host;  // libtorch absent: no worker could speak
  std::int64_t usable_cores = 0;
  std::int64_t threads = 0;  // that a run would use unasked
  std::vector<schema::DeviceStatus> devices;
  std::vector<std::string> sensors;  // quantities that can be read
  std::vector<sensor::MissingSensor> missing_sensors;
  std::vector<sensor::GpuUse> gpus;  // before this program touched them
  std::optional<std::string> worker_error;
};

struct Finding {
  enum class Level { good, warning, problem };
  Level level = Level::good;
  std::string subject;
  std::string message;
  std::string cure;  // empty when good
};

[[nodiscard]] std::vector<Finding> examine(const DoctorFacts& facts);

}  // namespace mpsbench::cli
