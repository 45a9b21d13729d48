#include "report/ceiling_cache.hpp"

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/json_file.hpp"
#include "base/log.hpp"
#include "base/sha256.hpp"
#include "report/privacy.hpp"

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

std::string device_name(const schema::HostInfo& host, const std::string& device) {
  for (const schema::Accelerator& accelerator : host.accelerators) {
    if (accelerator.device == device) return accelerator.name;
  }
  return "";
}

}  // namespace

nlohmann::json ceiling_key(const schema::HostInfo& host, const std::string& libtorch_version,
                           const std::string& device, std::optional<std::int64_t> threads) {
  return {{"cpu", host.cpu.model},
          {"logical_cores", host.cpu.logical_cores},
          {"device", device},
          {"device_name", device_name(host, device)},
          {"libtorch", libtorch_version},
          {"threads", threads ? nlohmann::json(*threads) : nlohmann::json(nullptr)},
          {"environment", host.environment}};
}

std::optional<schema::Ceiling> CeilingCache::find(const nlohmann::json& key) const {
  const fs::path file = file_of(key);
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return std::nullopt;
  try {
    const nlohmann::json document = base::read_json_file(file);
    base::Reader reader(document, file.string());
    if (reader.at("key").value() != key) throw reader.at("key").error("is not that of the file's name");
    schema::Ceiling ceiling = schema::read_ceiling(reader.at("ceiling"));
    reader.done();
    return ceiling;
  } catch (const base::Error& error) {
    base::log::warn(std::string(error.what()) + "; these ceilings are not used");
    return std::nullopt;
  }
}

void CeilingCache::keep(const nlohmann::json& key, const schema::Ceiling& ceiling) const {
  const fs::path file = file_of(key);
  std::error_code failure;
  fs::create_directories(folder_, failure);
  try {
    base::write_file_atomically(
        file, base::to_text(nlohmann::ordered_json{{"key", key}, {"ceiling", to_json(ceiling)}}, 1) + "\n");
  } catch (const base::Error& error) {
    base::log::warn(std::string(error.what()) + "; these ceilings will be measured again next time");
  }
}

fs::path CeilingCache::file_of(const nlohmann::json& key) const {
  return folder_ / ("ceiling-" + base::sha256_hex(base::to_text(key)).substr(0, kNameLength) + ".json");
}

fs::path cache_folder() {
  const char* chosen = std::getenv("XDG_CACHE_HOME");
  const bool given = chosen != nullptr && fs::path(chosen).is_absolute();
  return (given ? fs::path(chosen) : fs::path(expand_home(kHomePlace))) / "mpsbench";
}

}  // namespace mpsbench::report
