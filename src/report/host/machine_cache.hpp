// What was once measured of a machine and is kept from one run to the next, a file for each key.
#pragma once

#include "base/json_reader.hpp"
#include "schema/host.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <string>

namespace mpsbench::report {

// The hardware, the device and the variables that change its speed.
[[nodiscard]] nlohmann::json machine_key(const schema::HostInfo& host, const schema::DeviceId& device);

class MachineCache {
 public:
  // FOLDER need not exist yet. KIND ("ceiling") begins the files' names and is the value's key in them.
  MachineCache(std::filesystem::path folder, std::string kind)
      : folder_(std::move(folder)), kind_(std::move(kind)) {}

  // Calls READ with what is kept under KEY, if anything is. A file that is broken, or of which READ throws an
  // Error, costs a warning.
  void find(const nlohmann::json& key, const std::function<void(base::Reader)>& read) const;
  // Whole or not at all; without a place for it only a warning, which ends with LOSS.
  void keep(const nlohmann::json& key, const nlohmann::ordered_json& value, const std::string& loss) const;

 private:
  [[nodiscard]] std::filesystem::path file_of(const nlohmann::json& key) const;

  std::filesystem::path folder_;
  std::string kind_;
};

// XDG_CACHE_HOME/mpsbench, else the system's place in the home folder.
[[nodiscard]] std::filesystem::path cache_folder();

}  // namespace mpsbench::report
