#include "schema/ceiling.hpp"

#include "base/units.hpp"
#include "schema/optional_json.hpp"
#include "schema/precision.hpp"

namespace mpsbench::schema {
namespace {

std::optional<double> read_rate(const base::Reader& reader) {
  const std::optional<double> rate = number_or_null(reader);
  if (rate && *rate <= 0) throw reader.error("expected a rate above zero");
  return rate;
}

}  // namespace

nlohmann::ordered_json to_json(const Ceiling& ceiling) {
  nlohmann::ordered_json matmul = nlohmann::ordered_json::object();
  for (const auto& [precision, rate] : ceiling.matmul_flops_per_second) matmul[precision] = or_null(rate);
  nlohmann::ordered_json bus = nlohmann::ordered_json::object();
  for (const auto& [devices, rate] : ceiling.bus_bytes_per_second)
    bus[std::to_string(devices)] = or_null(rate);
  return {{"device", to_string(ceiling.device)},
          {"threads", or_null(ceiling.threads)},
          {"measured_at", ceiling.measured_at},
          {"matmul_flops_per_second", std::move(matmul)},
          {"bytes_per_second", or_null(ceiling.bytes_per_second)},
          {"bus_bytes_per_second", std::move(bus)}};
}

Ceiling read_ceiling(base::Reader reader) {
  Ceiling ceiling;
  ceiling.device = read_device_id(reader.at("device"));
  ceiling.threads = count_or_null(reader.at("threads"));
  ceiling.measured_at = reader.at("measured_at").string();
  base::Reader matmul = reader.at("matmul_flops_per_second");
  for (const std::string& name : matmul.keys()) {
    const base::Reader rate = matmul.at(name);
    if (!parse_name<Precision>(name))
      throw rate.error(unknown_name("precision", name, names_of<Precision>()));
    ceiling.matmul_flops_per_second[name] = read_rate(rate);
  }
  ceiling.bytes_per_second = read_rate(reader.at("bytes_per_second"));
  if (std::optional<base::Reader> bus = reader.find("bus_bytes_per_second")) {  // older reports lack it
    for (const std::string& devices : bus->keys()) {
      const base::Reader rate = bus->at(devices);
      const std::optional<std::int64_t> count = base::parse_whole_number(devices);
      if (!count || *count < 2) throw rate.error("expected a number of devices as the key");
      ceiling.bus_bytes_per_second[*count] = read_rate(rate);
    }
  }
  reader.done();
  return ceiling;
}

}  // namespace mpsbench::schema
