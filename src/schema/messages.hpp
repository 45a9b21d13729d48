// What front and worker say to each other: one request line on the worker's stdin, event lines on its
// descriptor 3.
#pragma once

#include "base/json_reader.hpp"
#include "schema/case_spec.hpp"
#include "schema/device_status.hpp"
#include "schema/host.hpp"
#include "schema/launch.hpp"
#include "schema/measure_spec.hpp"
#include "schema/network_plan.hpp"
#include "schema/phase.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace mpsbench::schema {

// Both sides must speak the same version.
inline constexpr std::int64_t kProtocolVersion = 1;
inline constexpr int kEventDescriptor = 3;

struct LaunchRequest {
  std::int64_t front_pid = 0;  // the worker ends itself when this process is gone
  CaseSpec spec;
  NetworkPlan network_plan;
  MeasureSpec measure;
  bool check_output = false;                   // compare two rows through the network with the CPU first
  std::optional<std::string> weights;          // safetensors to load instead of drawing
  std::optional<std::string> data_folder;      // of the data set's files
  std::optional<std::string> vocabulary;       // file, for texts
  std::optional<std::string> dump_first_step;  // safetensors to write
  bool report_losses = false;                  // by a LossEvent each 100 batches of an epoch
};

// Which devices are built in and which are usable; for doctor and list.
struct ProbeRequest {
  std::int64_t front_pid = 0;
};

using Request = std::variant<LaunchRequest, ProbeRequest>;

// First event of every worker.
struct HelloEvent {
  std::int64_t protocol = kProtocolVersion;
  LibtorchInfo libtorch;
};

// The worker entered a phase.
struct PhaseEvent {
  Phase phase = Phase::device;
};

// The NVIDIA GPU that the worker is about to open: "0000:3B:00.0".
struct GpuEvent {
  std::string pci_bus_id;
};

// Sent between windows, at most twice a second.
struct ProgressEvent {
  std::int64_t samples = 0;
  double step_seconds = 0;      // median so far
  std::optional<double> noise;  // relative half-width of its interval
  std::optional<double> loss;
};

// Of the last of BATCH batches of an epoch, which has BATCHES. Costs the epoch what reading a loss costs.
struct LossEvent {
  std::int64_t epoch = 0;  // from 1
  std::int64_t epochs = 0;
  std::int64_t batch = 0;
  std::int64_t batches = 0;
  std::optional<double> loss;  // null: not finite
};

// The launch as the worker saw it (status ok, or failed with what was measured so far). Last event.
struct ResultEvent {
  Launch launch;
};

// The launch could not be measured. Last event.
struct FailureEvent {
  Status status = Status::failed;
  Failure failure;
};

struct ProbeEvent {
  std::vector<DeviceStatus> devices;
  std::optional<ToolInfo> tool{};  // the worker's build; nullopt: of one that does not say
};

using Event = std::variant<HelloEvent, PhaseEvent, GpuEvent, ProgressEvent, LossEvent, ResultEvent,
                           FailureEvent, ProbeEvent>;

// One line without a line break.
[[nodiscard]] std::string to_line(const Request& request);
[[nodiscard]] std::string to_line(const Event& event);
// Throw base::Error(usage) for anything that is not a request or event of this protocol version.
[[nodiscard]] Request parse_request(const std::string& line);
[[nodiscard]] Event parse_event(const std::string& line);

}  // namespace mpsbench::schema
