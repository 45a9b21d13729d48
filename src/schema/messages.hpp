// The messages of the processes of a run, each a line of JSON. A message is a row of three lists: requests
// from a front to its worker's stdin, events from the worker to the front, by file descriptor 3, and messages
// between the fronts that a launcher such as torchrun has started, one a rank; their workers pass these on.
#pragma once

#include "base/json_reader.hpp"
#include "schema/case_spec.hpp"
#include "schema/device_status.hpp"
#include "schema/field_json.hpp"
#include "schema/host.hpp"
#include "schema/launch.hpp"
#include "schema/launch_part.hpp"
#include "schema/measure_spec.hpp"
#include "schema/network_plan.hpp"
#include "schema/rank.hpp"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace mpsbench::schema {

inline constexpr int kEventDescriptor = 3;

// Front and worker must have the same version, which every request and the first event contain.
inline constexpr std::int64_t kProtocolVersion = 6;

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
inline constexpr Field<LaunchRequest, Protocol, std::int64_t, CaseSpec, NetworkPlan, MeasureSpec, bool,
                       std::optional<std::string>, std::optional<PackageFile>, std::optional<GroupPlace>>
    kLaunchRequestFields[] = {
        {"protocol", &LaunchRequest::protocol},
        {"front_pid", &LaunchRequest::front_pid, {.bounds = kProcess}},
        {"spec", &LaunchRequest::spec},
        {"plan", &LaunchRequest::network_plan},
        {"measure", &LaunchRequest::measure},
        {"check_output", &LaunchRequest::check_output},
        {"check_engine", &LaunchRequest::check_engine},
        {"weights", &LaunchRequest::weights},
        {"data_folder", &LaunchRequest::data_folder},
        {"vocabulary", &LaunchRequest::vocabulary},
        {"dump_first_step", &LaunchRequest::dump_first_step},
        {"package", &LaunchRequest::package},
        {"check_package", &LaunchRequest::check_package},
        {"group", &LaunchRequest::group},
        {"report_losses", &LaunchRequest::report_losses},
};
template <>
struct Json<LaunchRequest> : ObjectJson<LaunchRequest, kLaunchRequestFields> {};

// Asks which devices are built in and which are usable, and how many of THREADS threads work.
struct ProbeRequest {
  static constexpr const char* kName = "probe";
  Protocol protocol{};
  std::int64_t front_pid = 0;
  std::int64_t threads = 1;
};
inline constexpr Field<ProbeRequest, Protocol, std::int64_t> kProbeRequestFields[] = {
    {"protocol", &ProbeRequest::protocol},
    {"front_pid", &ProbeRequest::front_pid, {.bounds = kProcess}},
    {"threads", &ProbeRequest::threads, {.bounds = kFromOne}},
};
template <>
struct Json<ProbeRequest> : ObjectJson<ProbeRequest, kProbeRequestFields> {};

// What rank 0 gets to know of a front at the meeting.
struct FrontFacts {
  std::int64_t rank = 0;
  std::string libtorch{};         // version of its worker's
  std::string host{};             // the machine's name in its network
  std::string host_in_reports{};  // and in reports
  std::int64_t ranks = 0;         // the world size
  std::string version{};          // of mpsbench
  std::string commit{};
  nlohmann::json cases{};  // what it plans, as run/front_facts.hpp writes it; null: it resumes a run
};
inline constexpr Field<FrontFacts, std::int64_t, std::string, nlohmann::json> kFrontFactsFields[] = {
    {"rank", &FrontFacts::rank},     {"libtorch", &FrontFacts::libtorch},
    {"host", &FrontFacts::host},     {"host_in_reports", &FrontFacts::host_in_reports},
    {"ranks", &FrontFacts::ranks},   {"version", &FrontFacts::version},
    {"commit", &FrontFacts::commit}, {"cases", &FrontFacts::cases},
};
template <>
struct Json<FrontFacts> : ObjectJson<FrontFacts, kFrontFactsFields> {};

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
inline constexpr Field<RendezvousRequest, Protocol, std::int64_t, GroupPlace, bool, FrontFacts>
    kRendezvousRequestFields[] = {
        {"protocol", &RendezvousRequest::protocol}, {"front_pid", &RendezvousRequest::front_pid, {.bounds = kProcess}},
        {"place", &RendezvousRequest::place},       {"keeps_store", &RendezvousRequest::keeps_store},
        {"facts", &RendezvousRequest::facts},
};
template <>
struct Json<RendezvousRequest> : ObjectJson<RendezvousRequest, kRendezvousRequestFields> {};

using Request = std::variant<LaunchRequest, ProbeRequest, RendezvousRequest>;

// --- Messages between fronts

// From rank 0, after the meeting: whether the fronts can measure together.
struct Admission {
  static constexpr const char* kName = "admission";
  std::string refusal{};       // one line; empty if they can
  std::int64_t exit_code = 0;  // with which all end then
};
inline constexpr Field<Admission, std::string, std::int64_t> kAdmissionFields[] = {
    {"refusal", &Admission::refusal},
    {"exit_code", &Admission::exit_code},
};
template <>
struct Json<Admission> : ObjectJson<Admission, kAdmissionFields> {};

// From rank 0: each rank of the request's group runs its worker.
struct LaunchOrder {
  static constexpr const char* kName = "launch";
  std::int64_t number = 0;  // counts the orders of a run
  double timeout_seconds = 0;
  LaunchRequest request{};  // each front fills in its own place in the group
};
inline constexpr Field<LaunchOrder, std::int64_t, double, LaunchRequest> kLaunchOrderFields[] = {
    {"number", &LaunchOrder::number},
    {"timeout_seconds", &LaunchOrder::timeout_seconds},
    {"request", &LaunchOrder::request},
};
template <>
struct Json<LaunchOrder> : ObjectJson<LaunchOrder, kLaunchOrderFields> {};

// From rank 0: another rank of this launch has failed, so its workers end.
struct StopOrder {
  static constexpr const char* kName = "stop";
  std::int64_t number = 0;
};
inline constexpr Field<StopOrder, std::int64_t> kStopOrderFields[] = {
    {"number", &StopOrder::number},
};
template <>
struct Json<StopOrder> : ObjectJson<StopOrder, kStopOrderFields> {};

// From rank 0, the last message: all fronts end with this exit code.
struct EndOrder {
  static constexpr const char* kName = "end";
  std::int64_t exit_code = 0;
};
inline constexpr Field<EndOrder, std::int64_t> kEndOrderFields[] = {
    {"exit_code", &EndOrder::exit_code},
};
template <>
struct Json<EndOrder> : ObjectJson<EndOrder, kEndOrderFields> {};

// To rank 0, when the worker of a launch has ended.
struct LaunchAnswer {
  static constexpr const char* kName = "answer";
  std::int64_t number = 0;  // of the order
  DeviceId device{};        // that the worker used
  Launch launch{};
};
inline constexpr Field<LaunchAnswer, std::int64_t, DeviceId, Launch> kLaunchAnswerFields[] = {
    {"number", &LaunchAnswer::number},
    {"device", &LaunchAnswer::device},
    {"launch", &LaunchAnswer::launch},
};
template <>
struct Json<LaunchAnswer> : ObjectJson<LaunchAnswer, kLaunchAnswerFields> {};

// To rank 0, before this front ends with the exit code that it was told.
struct EndAnswer {
  static constexpr const char* kName = "ended";
  std::int64_t exit_code = 0;
};
inline constexpr Field<EndAnswer, std::int64_t> kEndAnswerFields[] = {
    {"exit_code", &EndAnswer::exit_code},
};
template <>
struct Json<EndAnswer> : ObjectJson<EndAnswer, kEndAnswerFields> {};

using FrontMessage = std::variant<Admission, LaunchOrder, StopOrder, EndOrder, LaunchAnswer, EndAnswer>;

// --- Events

// The first event of every worker.
struct HelloEvent {
  static constexpr const char* kName = "hello";
  Protocol protocol{};
  LibtorchInfo libtorch{};
};
inline constexpr Field<HelloEvent, Protocol, LibtorchInfo> kHelloEventFields[] = {
    {"protocol", &HelloEvent::protocol},
    {"libtorch", &HelloEvent::libtorch},
};
template <>
struct Json<HelloEvent> : ObjectJson<HelloEvent, kHelloEventFields> {};

// The worker has entered a phase.
struct PhaseEvent {
  static constexpr const char* kName = "phase";
  Phase phase = Phase::device;
};
inline constexpr Field<PhaseEvent, Phase> kPhaseEventFields[] = {
    {"phase", &PhaseEvent::phase},
};
template <>
struct Json<PhaseEvent> : ObjectJson<PhaseEvent, kPhaseEventFields> {};

// The NVIDIA GPU that the worker is about to open: "0000:3B:00.0".
struct GpuEvent {
  static constexpr const char* kName = "gpu";
  std::string pci_bus_id{};
};
inline constexpr Field<GpuEvent, std::string> kGpuEventFields[] = {
    {"pci_bus_id", &GpuEvent::pci_bus_id},
};
template <>
struct Json<GpuEvent> : ObjectJson<GpuEvent, kGpuEventFields> {};

// Sent between windows, at most twice per second.
struct ProgressEvent {
  static constexpr const char* kName = "progress";
  std::int64_t samples = 0;
  double step_seconds = 0;        // median of the samples so far
  std::optional<double> noise{};  // relative half-width of the median's interval
  std::optional<double> loss{};
};
inline constexpr Field<ProgressEvent, std::int64_t, double, std::optional<double>> kProgressEventFields[] = {
    {"samples", &ProgressEvent::samples},
    {"step_seconds", &ProgressEvent::step_seconds},
    {"noise", &ProgressEvent::noise},
    {"loss", &ProgressEvent::loss},
};
template <>
struct Json<ProgressEvent> : ObjectJson<ProgressEvent, kProgressEventFields> {};

// The loss of batch number BATCH of an epoch that has BATCHES. Reading the loss adds to the epoch's time.
struct LossEvent {
  static constexpr const char* kName = "loss";
  std::int64_t epoch = 0;  // from 1
  std::int64_t epochs = 0;
  std::int64_t batch = 0;
  std::int64_t batches = 0;
  std::optional<double> loss{};  // null: not finite
};
inline constexpr Field<LossEvent, std::int64_t, std::optional<double>> kLossEventFields[] = {
    {"epoch", &LossEvent::epoch},     {"epochs", &LossEvent::epochs}, {"batch", &LossEvent::batch},
    {"batches", &LossEvent::batches}, {"loss", &LossEvent::loss},
};
template <>
struct Json<LossEvent> : ObjectJson<LossEvent, kLossEventFields> {};

// What the launch has measured since the last part (launch_part.hpp). Sent between windows, at most twice per
// second, and after each epoch.
struct PartEvent {
  static constexpr const char* kName = "part";
  Launch launch{};
};
inline constexpr Field<PartEvent, Launch> kPartEventFields[] = {
    {"launch", &PartEvent::launch},
};
template <>
struct Json<PartEvent> : ObjectJson<PartEvent, kPartEventFields> {};

// The launch as the worker saw it: status ok, or failed with what was measured so far. This is the last
// event.
struct ResultEvent {
  static constexpr const char* kName = "result";
  Launch launch{};
};
inline constexpr Field<ResultEvent, Launch> kResultEventFields[] = {
    {"launch", &ResultEvent::launch},
};
template <>
struct Json<ResultEvent> : ObjectJson<ResultEvent, kResultEventFields> {};

// The launch could not be measured. This is the last event.
struct FailureEvent {
  static constexpr const char* kName = "failure";
  Status status = Status::failed;
  Failure failure{};
};
inline constexpr Field<FailureEvent, Status, Failure> kFailureEventFields[] = {
    {"status", &FailureEvent::status},
    {"failure", &FailureEvent::failure},
};
template <>
struct Json<FailureEvent> : ObjectJson<FailureEvent, kFailureEventFields> {};

struct ProbeEvent {
  static constexpr const char* kName = "probe";
  std::vector<DeviceStatus> devices{};
  std::optional<ToolInfo> tool{};  // the worker's build; null: not known
  std::string libtorch_folder{};   // of its libraries; empty: unknown
  WorkingThreads threads{};
};
inline constexpr Field<ProbeEvent, std::vector<DeviceStatus>, std::optional<ToolInfo>, std::string, WorkingThreads>
    kProbeEventFields[] = {
        {"devices", &ProbeEvent::devices},
        {"tool", &ProbeEvent::tool},
        {"libtorch_folder", &ProbeEvent::libtorch_folder},
        {"threads", &ProbeEvent::threads},
};
template <>
struct Json<ProbeEvent> : ObjectJson<ProbeEvent, kProbeEventFields> {};

// The fronts have met, or the time is over.
struct MetEvent {
  static constexpr const char* kName = "met";
  std::string prefix{};              // for the keys of this run in the store
  std::vector<FrontFacts> fronts{};  // only on rank 0: those that came, itself included, by rank
};
inline constexpr Field<MetEvent, std::string, std::vector<FrontFacts>> kMetEventFields[] = {
    {"prefix", &MetEvent::prefix},
    {"fronts", &MetEvent::fronts},
};
template <>
struct Json<MetEvent> : ObjectJson<MetEvent, kMetEventFields> {};

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
inline constexpr Field<LostEvent, std::int64_t, std::string> kLostEventFields[] = {
    {"rank", &LostEvent::rank},
    {"reason", &LostEvent::reason},
};
template <>
struct Json<LostEvent> : ObjectJson<LostEvent, kLostEventFields> {};

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

inline constexpr Field<MessageEvent, std::int64_t, FrontMessage> kMessageEventFields[] = {
    {"rank", &MessageEvent::rank},
    {"message", &MessageEvent::message},
};
template <>
struct Json<MessageEvent> : ObjectJson<MessageEvent, kMessageEventFields> {};

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
