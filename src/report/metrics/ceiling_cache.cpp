#include "report/metrics/ceiling_cache.hpp"

namespace mpsbench::report {

nlohmann::json ceiling_key(const schema::HostInfo& host, const std::string& libtorch_version,
                           const schema::DeviceId& device, std::optional<std::int64_t> threads) {
  nlohmann::json key = machine_key(host, device);
  key["libtorch"] = libtorch_version;
  key["threads"] = threads ? nlohmann::json(*threads) : nlohmann::json(nullptr);
  return key;
}

std::optional<schema::Ceiling> CeilingCache::find(const nlohmann::json& key) const {
  std::optional<schema::Ceiling> ceiling;
  files_.find(key, [&](const base::Reader& reader) { ceiling = schema::read_ceiling(reader); });
  return ceiling;
}

void CeilingCache::keep(const nlohmann::json& key, const schema::Ceiling& ceiling) const {
  files_.keep(key, to_json(ceiling), "these ceilings will be measured again next time");
}

}  // namespace mpsbench::report
