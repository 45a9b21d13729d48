#include "report/compare/changed_work.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <optional>

namespace mpsbench::report {

namespace {

std::string shown(const std::optional<std::string>& text) {
  return text && !text->empty() ? *text : "unknown";
}

// Describes the first data file whose contents differ. Returns an empty text if there is none. Published
// figures do not name the files.
std::string changed_data(const schema::CaseSpec& before, const schema::CaseSpec& after, const SideNames& sides) {
  constexpr std::size_t kShownDigits = 12;
  if (before.data_files.empty() || after.data_files.empty()) return "";
  std::map<std::string, std::string> names = before.data_files;
  names.insert(after.data_files.begin(), after.data_files.end());
  const auto shown_sum = [](const schema::CaseSpec& spec, const std::string& name) {
    const auto found = spec.data_files.find(name);
    return found == spec.data_files.end() ? "absent" : found->second.substr(0, kShownDigits);
  };
  for (const auto& [name, unused] : names) {
    const std::string one = shown_sum(before, name);
    const std::string other = shown_sum(after, name);
    if (one != other) return sides.remark("data file " + name + " (SHA-256)", one, other);
  }
  return "";
}

std::optional<std::string> gpu_paths(const schema::HostInfo& host) {
  return host.interconnect ? std::optional(schema::paths_text(*host.interconnect)) : std::nullopt;
}

std::optional<std::string> network(const schema::HostInfo& host) {
  return host.network ? std::optional(schema::network_text(*host.network)) : std::nullopt;
}

// Whether a case runs in several processes, on NVIDIA GPUs or elsewhere.
bool has_ranks(const ComparedReport& report, bool on_gpus) {
  return std::ranges::any_of(report.cases, [&](const ComparedCase& one) {
    return one.spec.ranks > 1 && one.spec.device.row().one_a_rank == on_gpus;
  });
}

}  // namespace

std::string SideNames::remark(const std::string& what, const std::string& one, const std::string& other) const {
  return what + " " + one + " " + first + ", " + other + " " + second;
}

void SideNames::tell(std::vector<std::string>& lines, const std::string& what, const std::optional<std::string>& one,
                     const std::optional<std::string>& other) const {
  if (one != other) lines.push_back(remark(what, shown(one), shown(other)));
}

std::string changed_work(const schema::CaseSpec& before, const schema::CaseSpec& after, const SideNames& sides) {
  if (std::string data = changed_data(before, after, sides); !data.empty()) return data;
  for (const schema::SpecField& field : schema::kSpecFields) {
    const schema::SpecRole role = field.traits.role;
    if (role != schema::SpecRole::work && role != schema::SpecRole::told) continue;
    if (schema::is_equal(field, before, after)) continue;
    const nlohmann::json one = schema::value_json(field, before);
    const nlohmann::json other = schema::value_json(field, after);
    // As the ids are equal, so is what a side does not tell.
    if (role == schema::SpecRole::told && (one.is_null() || other.is_null())) continue;
    return sides.remark(field.key, one.dump(), other.dump());
  }
  return "";
}

void check_connections(const ComparedReport& before, const ComparedReport& after, const SideNames& sides,
                       std::vector<std::string>& lines) {
  const bool on_gpus = has_ranks(before, true) && has_ranks(after, true);
  const bool on_cpus = has_ranks(before, false) && has_ranks(after, false);
  if (on_gpus) sides.tell(lines, "GPU connection", gpu_paths(before.host), gpu_paths(after.host));
  if (on_gpus || on_cpus) sides.tell(lines, "network", network(before.host), network(after.host));
}

}  // namespace mpsbench::report
