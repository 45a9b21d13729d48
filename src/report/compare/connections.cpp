#include "report/compare/connections.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace mpsbench::report {
namespace {

std::optional<std::string> gpu_paths(const schema::HostInfo& host) {
  return host.interconnect ? std::optional(schema::paths_text(*host.interconnect)) : std::nullopt;
}

std::optional<std::string> network(const schema::HostInfo& host) {
  return host.network ? std::optional(schema::network_text(*host.network)) : std::nullopt;
}

// Whether a case has OPTION, which ids have only of several processes.
bool has_option(const ComparedReport& report, std::string_view option) {
  return std::ranges::any_of(
      report.cases, [&](const ComparedCase& one) { return one.id.find(option) != std::string::npos; });
}

}  // namespace

void check_connections(const ComparedReport& before, const ComparedReport& after, const SideNames& sides,
                       std::vector<std::string>& lines) {
  const bool on_gpus = has_option(before, "+gpus=") && has_option(after, "+gpus=");
  const bool on_cpus = has_option(before, "+ranks=") && has_option(after, "+ranks=");
  if (on_gpus) sides.tell(lines, "GPU connection", gpu_paths(before.host), gpu_paths(after.host));
  if (on_gpus || on_cpus) sides.tell(lines, "network", network(before.host), network(after.host));
}

}  // namespace mpsbench::report
