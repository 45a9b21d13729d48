#include "run/plan/accelerators.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/resources.hpp"
#include "schema/host.hpp"
#include "supervise/interrupt.hpp"
#include "supervise/launch_runner.hpp"

#include <algorithm>
#include <utility>

namespace mpsbench::run {

namespace {

// Returns all values of Enum. Those that every device supports are usable; the others have REASON, because
// the worker did not report them.
template <schema::Closed Enum>
std::vector<schema::Offer<Enum>> offers_everywhere(const std::string& reason) {
  std::vector<schema::Offer<Enum>> offers;
  for (const auto& row : schema::ClosedSet<Enum>::kRows) offers.push_back({row.value, row.everywhere ? "" : reason});
  return offers;
}

// Returns the device list to use if the worker does not report its devices. The CPU is always there, and its
// launches will show what is wrong with the worker.
std::vector<schema::DeviceStatus> only_the_cpu(const std::string& reason) {
  std::vector<schema::DeviceStatus> devices;
  for (const schema::DeviceKindRow& row : schema::ClosedSet<schema::DeviceKind>::kRows) {
    devices.push_back({.device = schema::DeviceId(row.value), .name = std::string(row.help)});
    devices.back().built_in = devices.back().usable = row.is_host;
    if (!devices.back().usable) devices.back().reason = reason;
    devices.back().precisions = offers_everywhere<schema::Precision>(reason);
    devices.back().engines = offers_everywhere<schema::Engine>(reason);
  }
  return devices;
}

std::vector<schema::DeviceStatus> ask(std::optional<std::string>& libtorch_version) {
  supervise::Interrupt interrupt;
  supervise::ProbeOutcome outcome;
  try {
    outcome = supervise::probe(base::worker_program(), &interrupt);
  } catch (const base::Error& error) {
    if (error.kind() == base::ErrorKind::interrupted) throw;
    return only_the_cpu(error.what());
  }
  require_own_build(outcome.tool);
  libtorch_version = outcome.libtorch.version;
  return std::move(outcome.devices);
}

}  // namespace

suite::DeviceList Accelerators::list() {
  return [this]() -> const std::vector<schema::DeviceStatus>& {
    if (!devices_) devices_ = ask(libtorch_version_);
    return devices_.value();
  };
}

std::vector<schema::Accelerator> Accelerators::known() const {
  std::vector<schema::Accelerator> found;
  if (!devices_) return found;
  for (const schema::DeviceStatus& status : *devices_) {
    if (status.usable && !status.device.row().is_host)
      found.push_back({status.device, status.name, status.memory_bytes});
  }
  return found;
}

std::vector<std::string> Accelerators::passed_over(const std::vector<schema::PlannedCase>& plan) const {
  std::vector<std::string> reasons;
  if (!devices_) return reasons;
  for (const schema::DeviceStatus& status : *devices_) {
    const bool is_planned = std::any_of(plan.begin(), plan.end(), [&](const schema::PlannedCase& planned) {
      return planned.spec.device == status.device;
    });
    if (status.built_in && !status.usable && !is_planned) reasons.push_back(status.reason);
  }
  return reasons;
}

std::optional<BuildDifference> build_difference(const schema::ToolInfo& front,
                                                const std::optional<schema::ToolInfo>& worker) {
  if (!worker || worker->version != front.version) {
    return BuildDifference{
        true,
        "this is mpsbench " + front.version + ", but its worker is " +
            (worker ? worker->version : "of an older version"),
        "install the same version (pip install mpsbench==" + front.version + ") or build both from one checkout"};
  }
  const std::string commit = commit_text(front);
  const std::string other = commit_text(*worker);
  if (commit == other || commit.empty() || other.empty()) return std::nullopt;
  return BuildDifference{false,
                         "this program is of commit " + commit + ", but its worker is of commit " + other +
                             "; reports name only the first",
                         "build or install both from one commit"};
}

void require_own_build(const std::optional<schema::ToolInfo>& worker) {
  const std::optional<BuildDifference> difference = build_difference(schema::tool_info(), worker);
  if (!difference) return;
  const std::string text = difference->message + "; " + difference->cure;
  if (difference->is_refused) throw base::usage_error(text);
  base::log::warn(text);
}

}  // namespace mpsbench::run
