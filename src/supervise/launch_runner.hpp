// Runs one launch in a worker process, or several together, and turns whatever happens to it into a Launch.
#pragma once

#include "base/interface.hpp"
#include "schema/host.hpp"
#include "schema/launch.hpp"
#include "schema/messages.hpp"
#include "sensor/source.hpp"
#include "supervise/interrupt.hpp"
#include "supervise/worker_group.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::supervise {

using LaunchLimits = WorkerLimits;

// Hears what the worker says while it runs.
class LaunchListener : public base::Interface {
 public:
  virtual void on_hello(const schema::LibtorchInfo& /*libtorch*/) {}
  virtual void on_phase(schema::Phase /*phase*/) {}
  virtual void on_gpu(const std::string& /*pci_bus_id*/) {}
  virtual void on_progress(const schema::ProgressEvent& /*progress*/) {}
  virtual void on_loss(const schema::LossEvent& /*loss*/) {}
  virtual void on_result() {}
  virtual void on_tick() {}  // about once a second
};

struct LaunchOutcome {
  schema::Launch launch;  // index and order belong to the caller
  std::optional<schema::LibtorchInfo> libtorch;
};

// Never throws for what the worker does. Status `crashed` means that the worker gave no verdict of its own;
// its failure kinds are "spawn", "signal", "exit" and "protocol". Fills in the request's front_pid. A worker
// of another LibTorch than LIBTORCH_VERSION is ended at its hello. SENSORS are read while it measures.
[[nodiscard]] LaunchOutcome run_launch(const std::filesystem::path& worker, schema::LaunchRequest request,
                                       const LaunchLimits& limits, LaunchListener& listener,
                                       Interrupt& interrupt,
                                       const std::optional<std::string>& libtorch_version = {},
                                       const sensor::Places& sensors = {});

// One of the processes that run a launch together.
struct RankRequest {
  schema::LaunchRequest request;
  std::vector<std::string> environment{};  // "NAME=VALUE", in place of ours of that name
};

// The same with a worker for each of RANKS: what rank 0 says is heard and becomes the launch, which also says
// how each rank ended. The first that fails, in time, gives the launch its status, and ends the others.
[[nodiscard]] LaunchOutcome run_ranks(const std::filesystem::path& worker, std::vector<RankRequest> ranks,
                                      const LaunchLimits& limits, LaunchListener& listener,
                                      Interrupt& interrupt,
                                      const std::optional<std::string>& libtorch_version = {},
                                      const sensor::Places& sensors = {});

struct ProbeOutcome {
  std::vector<schema::DeviceStatus> devices;
  schema::LibtorchInfo libtorch;
  std::optional<schema::ToolInfo> tool;  // nullopt: the worker does not say
};

inline constexpr double kProbeSeconds = 120;

// Asks the worker which devices are usable. Throws Error(no_device) with the last line of its stderr when it
// cannot say, and Error(interrupted).
[[nodiscard]] ProbeOutcome probe(const std::filesystem::path& worker, Interrupt* interrupt = nullptr,
                                 double timeout_seconds = kProbeSeconds);

}  // namespace mpsbench::supervise
