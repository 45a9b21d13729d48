// Runs one launch in one or several worker processes, and turns whatever happens into a Launch.
#pragma once

#include "base/interface.hpp"
#include "schema/host.hpp"
#include "schema/launch.hpp"
#include "schema/messages.hpp"
#include "sensor/source.hpp"
#include "supervise/interrupt.hpp"
#include "supervise/launch_group.hpp"
#include "supervise/worker_group.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::supervise {

using LaunchLimits = WorkerLimits;

// Receives the worker's events while it runs.
class LaunchListener : public base::Interface {
 public:
  virtual void on_hello(const schema::LibtorchInfo& /*libtorch*/) {}
  virtual void on_phase(schema::Phase /*phase*/) {}
  virtual void on_gpu(const std::string& /*pci_bus_id*/) {}
  virtual void on_progress(const schema::ProgressEvent& /*progress*/) {}
  virtual void on_loss(const schema::LossEvent& /*loss*/) {}
  virtual void on_part(const schema::Launch& /*part*/) {}
  virtual void on_result() {}
  virtual void on_tick() {}  // about once a second
};

// Passes the events on to another listener.
class ForwardingListener : public LaunchListener {
 public:
  explicit ForwardingListener(LaunchListener& other) : other_(other) {}

  void on_hello(const schema::LibtorchInfo& libtorch) override { other_.on_hello(libtorch); }
  void on_phase(schema::Phase phase) override { other_.on_phase(phase); }
  void on_gpu(const std::string& pci_bus_id) override { other_.on_gpu(pci_bus_id); }
  void on_progress(const schema::ProgressEvent& progress) override { other_.on_progress(progress); }
  void on_loss(const schema::LossEvent& loss) override { other_.on_loss(loss); }
  void on_part(const schema::Launch& part) override { other_.on_part(part); }
  void on_result() override { other_.on_result(); }
  void on_tick() override { other_.on_tick(); }

 private:
  LaunchListener& other_;
};

struct LaunchOutcome {
  schema::Launch launch;  // the caller sets index and order
  std::optional<schema::LibtorchInfo> libtorch;
};

// Whatever the worker does, this does not throw. Status `crashed` means that the worker sent no valid
// verdict; the failure kinds are then "spawn", "signal", "exit" and "protocol". Fills in the request's
// front_pid and, for several ranks, the place of each in the group and its GPU. If the worker has a different
// LibTorch from LIBTORCH_VERSION, it is stopped at its hello. SENSORS are read while it measures, and those
// of each rank's GPU while that measures.
[[nodiscard]] LaunchOutcome run_launch(const std::filesystem::path& worker, const schema::LaunchRequest& request,
                                       const LaunchLimits& limits, LaunchListener& listener, Interrupt& interrupt,
                                       const std::optional<std::string>& libtorch_version = {},
                                       const sensor::Places& sensors = {});

// The request for one of the processes that run a launch together.
struct RankRequest {
  schema::LaunchRequest request;
  std::vector<std::string> environment{};  // "NAME=VALUE"; replaces our variable of that name
};

// The same with one worker for each of RANKS. The listener and the launch get only rank 0's events; the
// launch also says how each rank ended. When a rank fails, the others are stopped, and the launch gets that
// rank's status. OTHERS, if not null, are ranks that other fronts run; those that run here are the first
// ranks.
[[nodiscard]] LaunchOutcome run_ranks(const std::filesystem::path& worker, std::vector<RankRequest> ranks,
                                      const LaunchLimits& limits, LaunchListener& listener, Interrupt& interrupt,
                                      const std::optional<std::string>& libtorch_version = {},
                                      const sensor::Places& sensors = {}, OtherRanks* others = nullptr);

struct ProbeOutcome {
  std::vector<schema::DeviceStatus> devices;
  schema::LibtorchInfo libtorch;
  std::optional<schema::ToolInfo> tool;   // nullopt: the worker does not report it
  std::filesystem::path libtorch_folder;  // of its libraries; empty: the worker does not report it
  schema::WorkingThreads threads{};
};

inline constexpr double kProbeSeconds = 120;

// Asks the worker which devices are usable. Throws Error(no_device) with the last line of its stderr if it
// does not answer, and Error(interrupted).
[[nodiscard]] ProbeOutcome probe(const std::filesystem::path& worker, Interrupt* interrupt = nullptr,
                                 double timeout_seconds = kProbeSeconds, std::int64_t threads = 1);

}  // namespace mpsbench::supervise
