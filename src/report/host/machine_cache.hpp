// Keeps measurements of a machine from one run to the next, in one file per key.
#pragma once

#include "base/json_reader.hpp"
#include "schema/host.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <string>

namespace mpsbench::report {

// Empty if HOST has no accelerator DEVICE.
[[nodiscard]] std::string accelerator_name(const schema::HostInfo& host, const schema::DeviceId& device);

// The key contains the hardware, the device and the environment variables that change its speed.
[[nodiscard]] nlohmann::json machine_key(const schema::HostInfo& host, const schema::DeviceId& device);

class MachineCache {
 public:
  // FOLDER need not exist yet. KIND, such as "ceiling", begins the files' names and is the JSON key of the
  // value in them.
  MachineCache(std::filesystem::path folder, std::string kind) : folder_(std::move(folder)), kind_(std::move(kind)) {}

  // Calls READ with the value that is kept under KEY, if there is one. Warns if the file is broken or READ
  // throws an Error.
  void find(const nlohmann::json& key, const std::function<void(base::Reader)>& read) const;
  // Writes the value atomically. If that fails, only warns; the warning ends with LOSS, which says what is lost.
  void keep(const nlohmann::json& key, const nlohmann::ordered_json& value, const std::string& loss) const;

 private:
  [[nodiscard]] std::filesystem::path file_of(const nlohmann::json& key) const;

  std::filesystem::path folder_;
  std::string kind_;
};

// Returns $XDG_CACHE_HOME/mpsbench, or mpsbench in the system's usual cache folder if that variable is not an
// absolute path.
[[nodiscard]] std::filesystem::path cache_folder();
// Returns $XDG_STATE_HOME/mpsbench, or ~/.local/state/mpsbench likewise.
[[nodiscard]] std::filesystem::path state_folder();

}  // namespace mpsbench::report
