// The messages of the processes of a run, each a line of JSON. A message is a row of three lists: requests
// from a front to its worker's stdin, events from the worker to the front, by file descriptor 3, and messages
// between the fronts that a launcher such as torchrun has started, one a rank; their workers pass these on.
#pragma once

#include "schema/case_spec.hpp"
#include "schema/device_status.hpp"
#include "schema/field_json.hpp"
#include "schema/host.hpp"
#include "schema/launch.hpp"
#include "schema/launch_part.hpp"
#include "schema/measure_spec.hpp"
#include "schema/network_plan.hpp"
#include "schema/rank.hpp"

#include <unistd.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace mpsbench::schema {

inline constexpr int kEventDescriptor = 3;

// Front and worker must have the same version, which every request and the first event contain.
inline constexpr std::int64_t kProtocolVersion = 7;

struct Protocol {};

template <>
struct Json<Protocol> {
  static nlohmann::ordered_json write(Protocol) { return kProtocolVersion; }
  static Protocol read(const base::Reader& reader, const FieldInfo&);
};

inline constexpr Bounds kProcess{0, 2147483647};

// --- Requests
struct LaunchRequest {
  static constexpr const char* kName = "launch";
  Protocol protocol{};
  std::int64_t front_pid = 0;  // the worker exits when this process is gone
  CaseSpec spec{};
  NetworkPlan network_plan{};
  MeasureSpec measure{};
  bool check_output = false;                     // first compare two rows with the CPU's fp32
  bool check_engine = false;                     // first compare the first step with eager's on this device
  std::optional<std::string> weights{};          // safetensors file to load instead of drawing weights
  std::optional<std::string> data_folder{};      // folder of the data set's files
  std::optional<std::string> vocabulary{};       // vocabulary file, for texts
  std::optional<std::string> dump_first_step{};  // safetensors file to write
  std::optional<PackageFile> package{};          // of an engine that runs one
  std::optional<PackageFile> check_package{};    // the same without dropout, for check_engine
  std::optional<GroupPlace> group{};             // null: the only worker of the launch
  bool report_losses = false;                    // send a LossEvent after every 100 batches of an epoch
};
template <>
inline constexpr auto kFields<LaunchRequest> = table(
    field<&LaunchRequest::protocol>(), field<&LaunchRequest::front_pid>({.bounds = kProcess}),
    field<&LaunchRequest::spec>(), field<&LaunchRequest::network_plan>({.key = "plan"}),
    field<&LaunchRequest::measure>(), field<&LaunchRequest::check_output>(), field<&LaunchRequest::check_engine>(),
    field<&LaunchRequest::weights>(), field<&LaunchRequest::data_folder>(), field<&LaunchRequest::vocabulary>(),
    field<&LaunchRequest::dump_first_step>(), field<&LaunchRequest::package>(), field<&LaunchRequest::check_package>(),
    field<&LaunchRequest::group>(), field<&LaunchRequest::report_losses>());
// Asks which devices are built in and which are usable, and how many of THREADS threads work.
struct ProbeRequest {
  static constexpr const char* kName = "probe";
  Protocol protocol{};
  std::int64_t front_pid = 0;
  std::int64_t threads = 1;
};
template <>
inline constexpr auto kFields<ProbeRequest> =
    table(field<&ProbeRequest::protocol>(), field<&ProbeRequest::front_pid>({.bounds = kProcess}),
          field<&ProbeRequest::threads>({.bounds = kFromOne}));
// What a front says of a case that it plans.
struct CaseFacts {
  std::string id{};
  std::string model{};                   // SHA-256 of its definition
  std::optional<std::string> weights{};  // and of their file
  std::map<std::string, std::string> data{};
  nlohmann::json processors{};  // null: the engine runs no package
  nlohmann::json options{};     // all keys of the planned case that must agree, such as "/measure/max_time_seconds"
  std::string unusable{};       // why it cannot run there
};
template <>
inline constexpr auto kFields<CaseFacts> =
    members<&CaseFacts::id, &CaseFacts::model, &CaseFacts::weights, &CaseFacts::data, &CaseFacts::processors,
            &CaseFacts::options, &CaseFacts::unusable>();
// What rank 0 gets to know of a front at the meeting.
struct FrontFacts {
  std::int64_t rank = 0;
  std::string libtorch{};         // version of its worker's
  std::string host{};             // the machine's name in its network
  std::string host_in_reports{};  // and in reports
  std::int64_t ranks = 0;         // the world size
  std::string version{};          // of mpsbench
  std::string commit{};
  std::optional<std::vector<CaseFacts>> cases{};  // null: it resumes a run
};
template <>
inline constexpr auto kFields<FrontFacts> =
    members<&FrontFacts::rank, &FrontFacts::libtorch, &FrontFacts::host, &FrontFacts::host_in_reports,
            &FrontFacts::ranks, &FrontFacts::version, &FrontFacts::commit, &FrontFacts::cases>();
// Connects this front with those of the other ranks, for as long as stdin is open. Every further line on
// stdin is a FrontMessage: rank 0's go to all others, and theirs to rank 0.
struct RendezvousRequest {
  static constexpr const char* kName = "rendezvous";
  Protocol protocol{};
  std::int64_t front_pid = 0;
  GroupPlace place{};        // without a prefix
  bool keeps_store = false;  // this worker is the store; false: another process is
  FrontFacts facts{};        // the worker fills in libtorch
};
template <>
inline constexpr auto kFields<RendezvousRequest> = table(
    field<&RendezvousRequest::protocol>(), field<&RendezvousRequest::front_pid>({.bounds = kProcess}),
    field<&RendezvousRequest::place>(), field<&RendezvousRequest::keeps_store>(), field<&RendezvousRequest::facts>());
using Request = std::variant<LaunchRequest, ProbeRequest, RendezvousRequest>;

// --- Messages between fronts

// From rank 0, after the meeting: whether the fronts can measure together.
struct Admission {
  static constexpr const char* kName = "admission";
  std::string refusal{};       // one line; empty if they can
  std::int64_t exit_code = 0;  // with which all end then
};
template <>
inline constexpr auto kFields<Admission> = members<&Admission::refusal, &Admission::exit_code>();
// From rank 0: each rank of the request's group runs its worker.
struct LaunchOrder {
  static constexpr const char* kName = "launch";
  std::int64_t number = 0;  // counts the orders of a run
  double timeout_seconds = 0;
  LaunchRequest request{};  // each front fills in its own place in the group
};
template <>
inline constexpr auto kFields<LaunchOrder> =
    members<&LaunchOrder::number, &LaunchOrder::timeout_seconds, &LaunchOrder::request>();
// From rank 0: another rank of this launch has failed, so its workers end.
struct StopOrder {
  static constexpr const char* kName = "stop";
  std::int64_t number = 0;
};
template <>
inline constexpr auto kFields<StopOrder> = members<&StopOrder::number>();
// From rank 0, the last message: all fronts end with this exit code.
struct EndOrder {
  static constexpr const char* kName = "end";
  std::int64_t exit_code = 0;
};
template <>
inline constexpr auto kFields<EndOrder> = members<&EndOrder::exit_code>();
// To rank 0, when the worker of a launch has ended.
struct LaunchAnswer {
  static constexpr const char* kName = "answer";
  std::int64_t number = 0;  // of the order
  DeviceId device{};        // that the worker used
  Launch launch{};
};
template <>
inline constexpr auto kFields<LaunchAnswer> =
    members<&LaunchAnswer::number, &LaunchAnswer::device, &LaunchAnswer::launch>();
// To rank 0, before this front ends with the exit code that it was told.
struct EndAnswer {
  static constexpr const char* kName = "ended";
  std::int64_t exit_code = 0;
};
template <>
inline constexpr auto kFields<EndAnswer> = members<&EndAnswer::exit_code>();
using FrontMessage = std::variant<Admission, LaunchOrder, StopOrder, EndOrder, LaunchAnswer, EndAnswer>;

// --- Events

// The first event of every worker.
struct HelloEvent {
  static constexpr const char* kName = "hello";
  Protocol protocol{};
  LibtorchInfo libtorch{};
};
template <>
inline constexpr auto kFields<HelloEvent> = members<&HelloEvent::protocol, &HelloEvent::libtorch>();
// The worker has entered a phase.
struct PhaseEvent {
  static constexpr const char* kName = "phase";
  Phase phase = Phase::device;
};
template <>
inline constexpr auto kFields<PhaseEvent> = members<&PhaseEvent::phase>();
// The NVIDIA GPU that the worker is about to open: "0000:3B:00.0".
struct GpuEvent {
  static constexpr const char* kName = "gpu";
  std::string pci_bus_id{};
};
template <>
inline constexpr auto kFields<GpuEvent> = members<&GpuEvent::pci_bus_id>();
// Sent between windows, at most twice per second.
struct ProgressEvent {
  static constexpr const char* kName = "progress";
  std::int64_t samples = 0;
  double step_seconds = 0;        // median of the samples so far
  std::optional<double> noise{};  // relative half-width of the median's interval
  std::optional<double> loss{};
};
template <>
inline constexpr auto kFields<ProgressEvent> =
    members<&ProgressEvent::samples, &ProgressEvent::step_seconds, &ProgressEvent::noise, &ProgressEvent::loss>();
// The loss of batch number BATCH of an epoch that has BATCHES. Reading the loss adds to the epoch's time.
struct LossEvent {
  static constexpr const char* kName = "loss";
  std::int64_t epoch = 0;  // from 1
  std::int64_t epochs = 0;
  std::int64_t batch = 0;
  std::int64_t batches = 0;
  std::optional<double> loss{};  // null: not finite
};
template <>
inline constexpr auto kFields<LossEvent> =
    members<&LossEvent::epoch, &LossEvent::epochs, &LossEvent::batch, &LossEvent::batches, &LossEvent::loss>();
// What the launch has measured since the last part (launch_part.hpp). Sent between windows, at most twice per
// second, and after each epoch.
struct PartEvent {
  static constexpr const char* kName = "part";
  Launch launch{};
};
template <>
inline constexpr auto kFields<PartEvent> = members<&PartEvent::launch>();
// The launch as the worker saw it: status ok, or failed with what was measured so far. This is the last
// event.
struct ResultEvent {
  static constexpr const char* kName = "result";
  Launch launch{};
};
template <>
inline constexpr auto kFields<ResultEvent> = members<&ResultEvent::launch>();
// The launch could not be measured. This is the last event.
struct FailureEvent {
  static constexpr const char* kName = "failure";
  Status status = Status::failed;
  Failure failure{};
};
template <>
inline constexpr auto kFields<FailureEvent> = members<&FailureEvent::status, &FailureEvent::failure>();
struct ProbeEvent {
  static constexpr const char* kName = "probe";
  std::vector<DeviceStatus> devices{};
  std::optional<ToolInfo> tool{};  // the worker's build; null: not known
  std::string libtorch_folder{};   // of its libraries; empty: unknown
  WorkingThreads threads{};
};
template <>
inline constexpr auto kFields<ProbeEvent> =
    members<&ProbeEvent::devices, &ProbeEvent::tool, &ProbeEvent::libtorch_folder, &ProbeEvent::threads>();
// The fronts have met, or the time is over.
struct MetEvent {
  static constexpr const char* kName = "met";
  std::string prefix{};              // for the keys of this run in the store
  std::vector<FrontFacts> fronts{};  // only on rank 0: those that came, itself included, by rank
};
template <>
inline constexpr auto kFields<MetEvent> = members<&MetEvent::prefix, &MetEvent::fronts>();
struct MessageEvent {
  static constexpr const char* kName = "message";
  std::int64_t rank = 0;  // of the sender
  FrontMessage message{};
};

// Nothing more will come from this rank. If it is rank 0, this is the last event.
struct LostEvent {
  static constexpr const char* kName = "lost";
  std::int64_t rank = 0;
  std::string reason{};
};
template <>
inline constexpr auto kFields<LostEvent> = members<&LostEvent::rank, &LostEvent::reason>();
using Event = std::variant<HelloEvent, PhaseEvent, GpuEvent, ProgressEvent, LossEvent, PartEvent, ResultEvent,
                           FailureEvent, ProbeEvent, MetEvent, MessageEvent, LostEvent>;

// --- Lines

// A message in JSON: the table of its type, and first a key, WHAT, with the type's name.
template <typename Message, Text What>
struct TaggedJson;

template <typename... Types, Text What>
struct TaggedJson<std::variant<Types...>, What> {
  using Message = std::variant<Types...>;

  static nlohmann::ordered_json write(const Message& message) {
    return std::visit(
        []<typename T>(const T& one) {
          nlohmann::ordered_json object{{What.characters, T::kName}};
          object.update(Json<T>::write(one));
          return object;
        },
        message);
  }
  static Message read(base::Reader reader, const FieldInfo& = {}) {
    const base::Reader kind = reader.at(What.characters);
    const std::string name = kind.string();
    std::optional<Message> message;
    (void)((name == Types::kName && (message = Json<Types>::read(reader), true)) || ...);
    if (!message) throw kind.error(std::string("unknown ") + What.characters + " \"" + name + "\"");
    return *std::move(message);
  }
};

template <>
struct Json<FrontMessage> : TaggedJson<FrontMessage, "message"> {};
template <>
struct Json<Request> : TaggedJson<Request, "request"> {};
template <>
struct Json<Event> : TaggedJson<Event, "event"> {};

template <>
inline constexpr auto kFields<MessageEvent> = members<&MessageEvent::rank, &MessageEvent::message>();
// Returns one line, without the line break.
[[nodiscard]] std::string to_line(const Request& request);
[[nodiscard]] std::string to_line(const FrontMessage& message);
[[nodiscard]] std::string to_line(const Event& event);
[[nodiscard]] std::string to_line(const FrontFacts& facts);
// All throw base::Error(usage) if LINE is not a request (message, event) of this protocol version.
[[nodiscard]] Request parse_request(const std::string& line);
[[nodiscard]] FrontMessage parse_front_message(const std::string& line);
[[nodiscard]] Event parse_event(const std::string& line);
[[nodiscard]] FrontFacts parse_front_facts(const std::string& line);

}  // namespace mpsbench::schema
