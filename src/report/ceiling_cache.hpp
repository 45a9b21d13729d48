// Ceilings kept from one run to the next, a file for each combination of what they depend on.
#pragma once

#include "schema/ceiling.hpp"
#include "schema/host.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace mpsbench::report {

// The hardware, the device, LibTorch, the variables that change its speed and, on the CPU, the threads.
[[nodiscard]] nlohmann::json ceiling_key(const schema::HostInfo& host, const std::string& libtorch_version,
                                         const std::string& device, std::optional<std::int64_t> threads);

class CeilingCache {
 public:
  // FOLDER need not exist yet.
  explicit CeilingCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Nullopt when nothing was kept, and with a warning when the file is broken.
  [[nodiscard]] std::optional<schema::Ceiling> find(const nlohmann::json& key) const;
  // Whole or not at all; without a place for it only a warning.
  void keep(const nlohmann::json& key, const schema::Ceiling& ceiling) const;

 private:
  [[nodiscard]] std::filesystem::path file_of(const nlohmann::json& key) const;

  std::filesystem::path folder_;
};

// XDG_CACHE_HOME/mpsbench, else the system's place in the home folder.
[[nodiscard]] std::filesystem::path cache_folder();

}  // namespace mpsbench::report
