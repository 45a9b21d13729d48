#include "report/host/machine_cache.hpp"

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/hex.hpp"
#include "base/json_file.hpp"
#include "base/log.hpp"
#include "base/private_folder.hpp"
#include "report/host/privacy.hpp"

#include <algorithm>
#include <cstdlib>
#include <system_error>

namespace mpsbench::report {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kNameLength = 16;
#ifdef __APPLE__
constexpr const char* kHomePlace = "~/Library/Caches";
#else
constexpr const char* kHomePlace = "~/.cache";
#endif

// Returns mpsbench's folder in the place that VARIABLE chooses or else in HOME_PLACE.
fs::path folder_of(const char* variable, const char* home_place) {
  const char* chosen = std::getenv(variable);
  const bool given = chosen != nullptr && fs::path(chosen).is_absolute();
  return (given ? fs::path(chosen) : fs::path(expand_home(home_place))) / "mpsbench";
}

}  // namespace

std::string accelerator_name(const schema::HostInfo& host, const schema::DeviceId& device) {
  const auto found = std::ranges::find(host.accelerators, device, &schema::Accelerator::device);
  return found == host.accelerators.end() ? "" : found->name;
}

nlohmann::json machine_key(const schema::HostInfo& host, const schema::DeviceId& device) {
  return {{"cpu", host.cpu.model},
          {"logical_cores", host.cpu.logical_cores},
          {"device", to_string(device)},
          {"device_name", accelerator_name(host, device)},
          {"environment", host.environment}};
}

void MachineCache::find(const nlohmann::json& key, const std::function<void(base::Reader)>& read) const {
  const fs::path file = file_of(key);
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return;
  try {
    const nlohmann::json document = base::read_json_file(file);
    base::Reader reader(document, file.string());
    if (reader.at("key").value() != key) throw reader.at("key").error("does not match the file's name");
    read(reader.at(kind_));
    reader.done();
  } catch (const base::Error& error) {
    base::log::warn(std::string(error.what()) + "; mpsbench ignores this file");
  }
}

void MachineCache::keep(const nlohmann::json& key, const nlohmann::ordered_json& value, const std::string& loss) const {
  if (const std::error_code failure = base::make_private_folder(folder_))
    base::log::detail(folder_.string() + ": " + failure.message());  // writing the file then fails, too
  try {
    base::write_file(file_of(key), base::to_text(nlohmann::ordered_json{{"key", key}, {kind_, value}}, 1) + "\n");
  } catch (const base::Error& error) {
    base::log::warn(std::string(error.what()) + "; " + loss);
  }
}

fs::path MachineCache::file_of(const nlohmann::json& key) const {
  return folder_ / (kind_ + "-" + base::sha256_hex(base::to_text(key)).substr(0, kNameLength) + ".json");
}

fs::path cache_folder() {
  return folder_of("XDG_CACHE_HOME", kHomePlace);
}

fs::path state_folder() {
  return folder_of("XDG_STATE_HOME", "~/.local/state");
}

}  // namespace mpsbench::report
