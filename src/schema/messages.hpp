// The messages between front and worker. The front writes one request line to the worker's stdin; the worker
// writes event lines to its file descriptor 3. After a RendezvousRequest, the front writes more lines:
// messages to other fronts.
#pragma once

#include "base/json_reader.hpp"
#include "schema/case_spec.hpp"
#include "schema/device_status.hpp"
#include "schema/group_place.hpp"
#include "schema/host.hpp"
#include "schema/launch.hpp"
#include "schema/measure_spec.hpp"
#include "schema/network_plan.hpp"
#include "schema/package_file.hpp"
#include "schema/phase.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace mpsbench::schema {

// Front and worker must have the same version.
inline constexpr std::int64_t kProtocolVersion = 5;
inline constexpr int kEventDescriptor = 3;

struct LaunchRequest {
  std::int64_t front_pid = 0;  // the worker exits when this process is gone
  CaseSpec spec;
  NetworkPlan network_plan;
  MeasureSpec measure;
  bool check_output = false;                   // first compare two rows with the CPU's fp32
  bool check_engine = false;                   // first compare the first step with eager's on this device
  std::optional<std::string> weights;          // safetensors file to load instead of drawing weights
  std::optional<std::string> data_folder;      // folder of the data set's files
  std::optional<std::string> vocabulary;       // vocabulary file, for texts
  std::optional<std::string> dump_first_step;  // safetensors file to write
  std::optional<PackageFile> package{};        // of an engine that runs one
  std::optional<PackageFile> check_package{};  // the same without dropout, for check_engine
  std::optional<GroupPlace> group{};           // null: the only worker of the launch
  bool report_losses = false;                  // send a LossEvent after every 100 batches of an epoch
};

// Asks which devices are built in and which are usable, and how many of THREADS threads work.
struct ProbeRequest {
  std::int64_t front_pid = 0;
  std::int64_t threads = 1;
};

// Connects this front with those of the other ranks, for as long as stdin is open. Every further line on
// stdin is a message: rank 0's go to all others, and theirs to rank 0.
struct RendezvousRequest {
  std::int64_t front_pid = 0;
  GroupPlace place;          // without a prefix
  bool keeps_store = false;  // this worker is the store; false: another process is
  std::string facts{};       // what rank 0 gets to know of this front at the meeting
};

using Request = std::variant<LaunchRequest, ProbeRequest, RendezvousRequest>;

// The first event of every worker.
struct HelloEvent {
  std::int64_t protocol = kProtocolVersion;
  LibtorchInfo libtorch;
};

// The worker has entered a phase.
struct PhaseEvent {
  Phase phase = Phase::device;
};

// The NVIDIA GPU that the worker is about to open: "0000:3B:00.0".
struct GpuEvent {
  std::string pci_bus_id;
};

// Sent between windows, at most twice per second.
struct ProgressEvent {
  std::int64_t samples = 0;
  double step_seconds = 0;      // median of the samples so far
  std::optional<double> noise;  // relative half-width of the median's interval
  std::optional<double> loss;
};

// The loss of batch number BATCH of an epoch that has BATCHES. Reading the loss adds to the epoch's time.
struct LossEvent {
  std::int64_t epoch = 0;  // from 1
  std::int64_t epochs = 0;
  std::int64_t batch = 0;
  std::int64_t batches = 0;
  std::optional<double> loss;  // null: not finite
};

// What the launch has measured since the last part (launch_part.hpp). Sent between windows, at most twice per
// second, and after each epoch.
struct PartEvent {
  Launch launch;
};

// The launch as the worker saw it: status ok, or failed with what was measured so far. This is the last
// event.
struct ResultEvent {
  Launch launch;
};

// The launch could not be measured. This is the last event.
struct FailureEvent {
  Status status = Status::failed;
  Failure failure;
};

struct ProbeEvent {
  std::vector<DeviceStatus> devices;
  std::optional<ToolInfo> tool{};  // the worker's build; nullopt: the worker does not report it
  std::string libtorch_folder{};   // of its libraries; empty: unknown
  WorkingThreads threads{};
};

// One of the fronts that have met.
struct FrontFacts {
  std::int64_t rank = 0;
  std::string libtorch;  // its version
  std::string facts;     // of its RendezvousRequest
};

// The fronts have met, or the time is over.
struct MetEvent {
  std::string prefix;              // for the keys of this run in the store
  std::vector<FrontFacts> fronts;  // only on rank 0: those that came, itself included, by rank
};

struct MessageEvent {
  std::int64_t rank = 0;  // of the sender
  std::string text;
};

// Nothing more will come from this rank. If it is rank 0, this is the last event.
struct LostEvent {
  std::int64_t rank = 0;
  std::string reason;
};

using Event = std::variant<HelloEvent, PhaseEvent, GpuEvent, ProgressEvent, LossEvent, PartEvent, ResultEvent,
                           FailureEvent, ProbeEvent, MetEvent, MessageEvent, LostEvent>;

// Returns one line, without the line break.
[[nodiscard]] std::string to_line(const Request& request);
[[nodiscard]] std::string to_line(const Event& event);
// Both throw base::Error(usage) if LINE is not a request (or event) of this protocol version.
[[nodiscard]] Request parse_request(const std::string& line);
[[nodiscard]] Event parse_event(const std::string& line);

}  // namespace mpsbench::schema
