// Runs one launch in one or several worker processes, and turns whatever happens into a Launch.
#pragma once

#include "schema/host.hpp"
#include "schema/launch.hpp"
#include "schema/messages.hpp"
#include "sensor/source.hpp"
#include "supervise/interrupt.hpp"
#include "supervise/verdict.hpp"
#include "supervise/worker_group.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::supervise {

// How a launch runs. Only rank 0's events go to ON_EVENT.
struct LaunchSetting {
  std::filesystem::path worker;
  WorkerLimits limits;
  Interrupt& interrupt;
  EventSink on_event{};
  std::optional<std::string> libtorch_version{};  // a worker with another one is stopped at its hello
  sensor::Places sensors{};  // read while it measures, and those of each rank's GPU while that measures
};

struct LaunchOutcome {
  schema::Launch launch;  // the caller sets index and order
  std::optional<schema::LibtorchInfo> libtorch;
};

// Whatever the worker does, this does not throw. Status `crashed` means that the worker sent no valid
// verdict; the failure kinds are then "spawn", "signal", "exit" and "protocol". Fills in the request's
// front_pid and, for several ranks, the place of each in the group and its GPU.
[[nodiscard]] LaunchOutcome run_launch(const LaunchSetting& setting, const schema::LaunchRequest& request);

// Returns the request of RANK, which runs on DEVICE, in the group that REQUEST names.
[[nodiscard]] schema::LaunchRequest request_in_group(schema::LaunchRequest request, std::int64_t rank,
                                                     const schema::DeviceId& device);

// The same as run_launch() with one worker for each of RANKS. The launch has only rank 0's figures, and says
// how each rank ended. When a rank fails, the others are stopped, and the launch gets that rank's status.
// OTHERS, if not null, are ranks that other fronts run; those that run here are the first ranks.
[[nodiscard]] LaunchOutcome run_ranks(const LaunchSetting& setting, std::vector<schema::LaunchRequest> ranks,
                                      OtherRanks* others = nullptr);

struct ProbeOutcome : schema::ProbeEvent {
  schema::LibtorchInfo libtorch;
};

inline constexpr double kProbeSeconds = 120;

// Asks the worker which devices are usable. Throws Error(no_device) with the last line of its stderr if it
// does not answer, and Error(interrupted).
[[nodiscard]] ProbeOutcome probe(const std::filesystem::path& worker, Interrupt* interrupt = nullptr,
                                 double timeout_seconds = kProbeSeconds, std::int64_t threads = 1);

}  // namespace mpsbench::supervise
