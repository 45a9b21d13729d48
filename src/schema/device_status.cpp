#include "schema/device_status.hpp"

#include "schema/optional_json.hpp"

namespace mpsbench::schema {
namespace {

using nlohmann::ordered_json;

template <Closed Enum>
ordered_json offers_json(const std::vector<Offer<Enum>>& offers) {
  ordered_json list = ordered_json::array();
  for (const Offer<Enum>& offer : offers) {
    list.push_back({{"name", to_string(offer.value)}, {"usable", offer.usable()}, {"reason", offer.reason}});
  }
  return list;
}

template <Closed Enum>
Offer<Enum> read_offer(base::Reader reader) {
  Offer<Enum> offer{read_name<Enum>(reader.at("name")), reader.at("reason").string()};
  const base::Reader usable = reader.at("usable");
  if (usable.boolean() != offer.usable())
    throw usable.error("expected false if 'reason' gives a reason, and true if it is empty");
  reader.done();
  return offer;
}

template <Closed Enum>
std::vector<Offer<Enum>> read_offers(base::Reader& reader, const char* key) {
  std::vector<Offer<Enum>> offers;
  if (const auto list = reader.find(key)) {
    for (const base::Reader& item : list->items()) offers.push_back(read_offer<Enum>(item));
  }
  return offers;
}

}  // namespace

ordered_json to_json(const DeviceStatus& status) {
  ordered_json value = {{"device", to_string(status.device)},
                        {"name", status.name},
                        {"built_in", status.built_in},
                        {"usable", status.usable},
                        {"reason", status.reason},
                        {"memory_bytes", or_null(status.memory_bytes)},
                        {"free_bytes", or_null(status.free_bytes)},
                        {"capability", or_null(status.capability)}};
  if (status.unified_memory) value["unified_memory"] = *status.unified_memory;
  if (!status.precisions.empty()) value["precisions"] = offers_json(status.precisions);
  if (!status.engines.empty()) value["engines"] = offers_json(status.engines);
  return value;
}

DeviceStatus read_device_status(base::Reader reader) {
  DeviceStatus status;
  status.device = read_device_id(reader.at("device"));
  status.name = reader.at("name").string();
  status.built_in = reader.at("built_in").boolean();
  status.usable = reader.at("usable").boolean();
  status.reason = reader.at("reason").string();
  status.memory_bytes = count_or_null(reader.at("memory_bytes"));
  status.free_bytes = count_or_null(reader.at("free_bytes"));
  status.capability = string_or_null(reader.at("capability"));
  if (const auto unified = reader.find("unified_memory")) status.unified_memory = unified->boolean();
  status.precisions = read_offers<Precision>(reader, "precisions");
  status.engines = read_offers<Engine>(reader, "engines");
  reader.done();
  return status;
}

}  // namespace mpsbench::schema
