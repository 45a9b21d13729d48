// Keeps ceilings from one run to the next, in one file for each combination of what they depend on.
#pragma once

#include "report/host/machine_cache.hpp"
#include "schema/ceiling.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace mpsbench::report {

// Returns the machine's key, the LibTorch version and, on the CPU, the number of threads.
[[nodiscard]] nlohmann::json ceiling_key(const schema::HostInfo& host, const std::string& libtorch_version,
                                         const schema::DeviceId& device, std::optional<std::int64_t> threads);

class CeilingCache {
 public:
  explicit CeilingCache(std::filesystem::path folder) : files_(std::move(folder), "ceiling") {}

  [[nodiscard]] std::optional<schema::Ceiling> find(const nlohmann::json& key) const;
  void keep(const nlohmann::json& key, const schema::Ceiling& ceiling) const;

 private:
  MachineCache files_;
};

}  // namespace mpsbench::report
