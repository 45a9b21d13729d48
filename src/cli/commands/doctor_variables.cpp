#include "cli/commands/doctor_variables.hpp"

#include "report/host/variables.hpp"
#include "report/metrics/flags.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace mpsbench::cli {
namespace {

using Level = Finding::Level;

bool has_mps(const DoctorFacts& facts) {
  return std::ranges::any_of(facts.devices, [](const schema::DeviceStatus& device) {
    return device.usable && device.device.kind == schema::DeviceKind::mps;
  });
}

}  // namespace

bool is_of_nccl(const std::string& name) {
  return name.starts_with("NCCL_");
}

Finding slow_variable(const std::string& name, const std::string& value) {
  return {Level::warning, name, fmt::format("{}={}: {}", name, value, report::find_variable(name)->effect),
          "unset " + name};
}

std::vector<Finding> check_variables(const DoctorFacts& facts) {
  std::string text;
  for (const auto& [name, value] : facts.host.environment)
    text += (text.empty() ? "" : ", ") + name + "=" + value;
  std::vector<Finding> findings{
      {Level::note, "variables", text.empty() ? "none of those that change speed are set" : text, ""}};
  if (has_mps(facts) && report::is_cpu_fallback_on(facts.host))
    findings.front() = {
        Level::warning, "variables", text + ": the CPU runs operators that MPS lacks",
        "unset PYTORCH_ENABLE_MPS_FALLBACK; then a missing operator ends a case as unsupported"};
  for (const auto& [name, value] : facts.host.environment) {
    if (!is_of_nccl(name) && report::find_slow_variable(name, value) != nullptr)
      findings.push_back(slow_variable(name, value));
  }
  return findings;
}

}  // namespace mpsbench::cli
