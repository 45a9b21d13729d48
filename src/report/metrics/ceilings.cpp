#include "report/metrics/ceilings.hpp"

#include "base/error.hpp"
#include "base/units.hpp"
#include "model/build_network_plan.hpp"
#include "report/metrics/metrics.hpp"

#include <algorithm>

namespace mpsbench::report {

namespace {

// Splits a name such as "matmul/cpu/fp32/1024/manual_time" at "/".
std::vector<std::string> parts(const std::string& name) {
  std::vector<std::string> found{""};
  for (const char c : name) {
    if (c == '/') {
      found.emplace_back();
    } else {
      found.back() += c;
    }
  }
  return found;
}

void raise(std::optional<double>& best, base::Reader& entry, const char* counter) {
  const double rate = entry.at(counter).number();
  if (rate <= 0) throw entry.at(counter).error("expected a rate above zero");
  best = std::max(best.value_or(0), rate);
}

// Whether ENTRY is a measurement: not a mean or median of repetitions, and not a failed operation.
bool is_measurement(base::Reader& entry) {
  const auto type = entry.find("run_type");
  const auto failed = entry.find("error_occurred");
  return (!type || type->string() == "iteration") && !(failed && failed->boolean());
}

}  // namespace

nlohmann::json ceiling_key(const schema::HostInfo& host, const std::string& libtorch_version,
                           const schema::DeviceId& device, std::optional<std::int64_t> threads) {
  nlohmann::json key = machine_key(host, device);
  key["libtorch"] = libtorch_version;
  key["threads"] = threads ? nlohmann::json(*threads) : nlohmann::json(nullptr);
  return key;
}

std::optional<schema::Ceiling> CeilingCache::find(const nlohmann::json& key) const {
  std::optional<schema::Ceiling> ceiling;
  files_.find(key, [&](const base::Reader& reader) { ceiling = schema::from_json<schema::Ceiling>(reader); });
  return ceiling;
}

void CeilingCache::keep(const nlohmann::json& key, const schema::Ceiling& ceiling) const {
  files_.keep(key, to_json(ceiling), "these ceilings will be measured again next time");
}

schema::Ceiling read_ops_ceiling(base::Reader document, const schema::DeviceId& device) {
  schema::Ceiling ceiling;
  ceiling.device = device;
  for (base::Reader entry : document.at("benchmarks").items()) {
    const std::vector<std::string> name = parts(entry.at("name").string());
    if (name.size() < 3 || name[1] != to_string(device) || !is_measurement(entry)) continue;
    const auto precision = schema::parse_name<schema::Precision>(name[2]);
    if (name[0] == "matmul" && precision) raise(ceiling.matmul_flops_per_second[*precision], entry, "flops_per_second");
    if (name[0] == "add") raise(ceiling.bytes_per_second, entry, "bytes_per_second");
    if (name[0] != "all_reduce" || !name[2].starts_with('x')) continue;
    if (const auto devices = base::parse_whole_number(name[2].substr(1)))
      raise(ceiling.bus_bytes_per_second[*devices], entry, "bus_bytes_per_second");
  }
  return ceiling;
}

std::optional<double> flops_ceiling(const std::vector<schema::Ceiling>& ceilings, const schema::CaseSpec& spec) {
  if (!can_have_ceiling(spec)) return std::nullopt;
  for (const schema::Ceiling& ceiling : ceilings) {
    if (ceiling.device != spec.device || ceiling.threads != ceiling_threads(spec)) continue;
    const auto found = ceiling.matmul_flops_per_second.find(spec.precision);
    if (found == ceiling.matmul_flops_per_second.end()) continue;
    const std::optional<double> one = found->second;
    if (one) return *one * static_cast<double>(spec.ranks);  // each rank has a device of its own
  }
  return std::nullopt;
}

std::optional<double> bus_ceiling(const std::vector<schema::Ceiling>& ceilings, const schema::CaseSpec& spec) {
  for (const schema::Ceiling& ceiling : ceilings) {
    const auto found = ceiling.bus_bytes_per_second.find(spec.ranks);
    if (ceiling.device == spec.device && found != ceiling.bus_bytes_per_second.end()) return found->second;
  }
  return std::nullopt;
}

bool can_have_bus_ceiling(const schema::CaseSpec& spec) {
  return spec.device.row().one_a_rank && spec.ranks > 1 && row_of(spec.mode).trains;
}

bool can_have_ceiling(const schema::CaseSpec& spec) {
  return !spec.device.row().is_host || (!spec.affinity && spec.ranks == 1);
}

std::optional<std::int64_t> ceiling_threads(const schema::CaseSpec& spec) {
  return spec.device.row().is_host ? std::optional(spec.threads) : std::nullopt;
}

double least_step_bytes(const schema::NetworkPlan& plan, const schema::CaseSpec& spec) {
  const double read = static_cast<double>(plan.parameter_bytes) + static_cast<double>(plan.input_bytes);
  if (!row_of(spec.mode).trains) return read;
  const double trainable_share =
      plan.parameters > 0 ? static_cast<double>(plan.trainable_parameters) / static_cast<double>(plan.parameters) : 0;
  return read + trainable_share * static_cast<double>(plan.parameter_bytes) +
         2 * row_of(spec.precision).activation_share * static_cast<double>(plan.activation_bytes);
}

std::optional<double> least_step_bytes(const schema::RunInfo& run, const schema::CaseResult& result) {
  if (run.definitions.count(result.definition_sha256) == 0) return std::nullopt;
  try {
    const schema::NetworkPlan plan = model::case_network_plan(run, result.definition_sha256, result.spec);
    if (schema::runs_model_file(plan)) return std::nullopt;
    const double bytes = least_step_bytes(plan, result.spec);
    return bytes > 0 ? std::optional(bytes) : std::nullopt;
  } catch (const base::Error&) {  // a stranger's definition may be broken
    return std::nullopt;
  }
}

}  // namespace mpsbench::report
