#include "report/metrics/ceilings.hpp"

#include "base/units.hpp"
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

schema::Ceiling read_ops_ceiling(base::Reader document, const schema::DeviceId& device) {
  schema::Ceiling ceiling;
  ceiling.device = device;
  for (base::Reader entry : document.at("benchmarks").items()) {
    const std::vector<std::string> name = parts(entry.at("name").string());
    if (name.size() < 3 || name[1] != to_string(device) || !is_measurement(entry)) continue;
    if (name[0] == "matmul") raise(ceiling.matmul_flops_per_second[name[2]], entry, "flops_per_second");
    if (name[0] == "add") raise(ceiling.bytes_per_second, entry, "bytes_per_second");
    if (name[0] != "all_reduce" || !name[2].starts_with('x')) continue;
    if (const auto devices = base::parse_whole_number(name[2].substr(1)))
      raise(ceiling.bus_bytes_per_second[*devices], entry, "bus_bytes_per_second");
  }
  return ceiling;
}

std::optional<double> flops_ceiling(const std::vector<schema::Ceiling>& ceilings,
                                    const schema::CaseSpec& spec) {
  if (!can_have_ceiling(spec)) return std::nullopt;
  for (const schema::Ceiling& ceiling : ceilings) {
    if (ceiling.device != spec.device || ceiling.threads != ceiling_threads(spec)) continue;
    const auto found = ceiling.matmul_flops_per_second.find(to_string(spec.precision));
    if (found == ceiling.matmul_flops_per_second.end()) continue;
    const std::optional<double> one = found->second;
    if (one) return *one * static_cast<double>(spec.ranks);  // each rank has a device of its own
  }
  return std::nullopt;
}

std::optional<double> bus_ceiling(const std::vector<schema::Ceiling>& ceilings,
                                  const schema::CaseSpec& spec) {
  for (const schema::Ceiling& ceiling : ceilings) {
    const auto found = ceiling.bus_bytes_per_second.find(spec.ranks);
    if (ceiling.device == spec.device && found != ceiling.bus_bytes_per_second.end()) return found->second;
  }
  return std::nullopt;
}

bool can_have_bus_ceiling(const schema::CaseSpec& spec) {
  return spec.device.kind == schema::DeviceKind::cuda && spec.ranks > 1 && spec.mode == schema::Mode::train;
}

bool can_have_ceiling(const schema::CaseSpec& spec) {
  return spec.device.asynchronous() || (!spec.affinity && spec.ranks == 1);
}

std::optional<std::int64_t> ceiling_threads(const schema::CaseSpec& spec) {
  return spec.device.asynchronous() ? std::nullopt : std::optional(spec.threads);
}

}  // namespace mpsbench::report
