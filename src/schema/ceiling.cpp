#include "schema/ceiling.hpp"

#include "schema/optional_json.hpp"

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
  return {{"device", ceiling.device},
          {"threads", or_null(ceiling.threads)},
          {"measured_at", ceiling.measured_at},
          {"matmul_flops_per_second", std::move(matmul)},
          {"bytes_per_second", or_null(ceiling.bytes_per_second)}};
}

Ceiling read_ceiling(base::Reader reader) {
  Ceiling ceiling;
  ceiling.device = reader.at("device").string();
  ceiling.threads = count_or_null(reader.at("threads"));
  ceiling.measured_at = reader.at("measured_at").string();
  base::Reader matmul = reader.at("matmul_flops_per_second");
  for (const std::string& precision : matmul.keys())
    ceiling.matmul_flops_per_second[precision] = read_rate(matmul.at(precision));
  ceiling.bytes_per_second = read_rate(reader.at("bytes_per_second"));
  reader.done();
  return ceiling;
}

}  // namespace mpsbench::schema
