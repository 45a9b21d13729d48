#include "supervise/launch_runner.hpp"

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/system_files.hpp"
#include "sensor/cpu_distance.hpp"
#include "sensor/nvml.hpp"
#include "sensor/recorder.hpp"
#include "supervise/machine_state.hpp"
#include "supervise/program_end.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <iterator>
#include <memory>
#include <system_error>
#include <utility>
#include <variant>

namespace mpsbench::supervise {
namespace {

// The machine was asleep if one of its clocks lost more than this.
constexpr double kLeastSleepSeconds = 0.1;
// Where rank 0 of a launch waits for the others, on this host.
constexpr const char* kGroupAddress = "127.0.0.1";

using SharedNvml = std::function<std::shared_ptr<const sensor::Nvml>()>;

// Reads SOURCES and the sensors of the worker's GPU while it measures.
class SensingReceiver final : public EventReceiver {
 public:
  // NVML must outlive it.
  SensingReceiver(EventSink on_event, const std::optional<std::string>& libtorch_version, const SharedNvml& nvml,
                  sensor::Sources sources)
      : EventReceiver(
            [this, on_event = std::move(on_event)](const schema::Event& event) {
              sense(event);
              if (on_event) on_event(event);
            },
            libtorch_version),
        nvml_(nvml),
        recorder_(std::move(sources)) {}

  void on_tick() override { recorder_.on_tick(); }

  [[nodiscard]] const sensor::Recorder& recorder() const { return recorder_; }
  [[nodiscard]] const std::optional<std::string>& gpu_name() const { return gpu_name_; }

 private:
  void sense(const schema::Event& event) {
    if (const auto* phase = std::get_if<schema::PhaseEvent>(&event)) {
      recorder_.on_phase(phase->phase);
    } else if (const auto* opened = std::get_if<schema::GpuEvent>(&event)) {
      auto gpu = std::make_unique<sensor::NvmlGpu>(nvml_(), opened->pci_bus_id);
      const sensor::Readings others = gpu->others();
      gpu_name_ = gpu->name();
      recorder_.add(std::move(gpu), others);
    } else if (std::holds_alternative<schema::ResultEvent>(event)) {
      recorder_.on_result();
    }
  }

  const SharedNvml& nvml_;
  std::optional<std::string> gpu_name_;
  sensor::Recorder recorder_;
};

struct GroupListener {
  Descriptor socket;
  std::int64_t port = 0;  // free ports are the system's choice
};

void require(bool is_good, const char* what) {
  if (!is_good) throw std::system_error(errno, std::generic_category(), what);
}

// The socket is closed on exec, and lifted. Throws std::system_error.
GroupListener listen_for_group() {
  Descriptor low(::socket(AF_INET, SOCK_STREAM, 0));
  require(low.get() >= 0, "socket");
  GroupListener listener{.socket = lift(std::move(low))};
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_addr.s_addr = ::inet_addr(kGroupAddress);
  socklen_t size = sizeof(place);
  require(::bind(listener.socket.get(), reinterpret_cast<const sockaddr*>(&place), size) == 0, "bind");
  require(::listen(listener.socket.get(), SOMAXCONN) == 0, "listen");
  require(::getsockname(listener.socket.get(), reinterpret_cast<sockaddr*>(&place), &size) == 0, "getsockname");
  listener.port = ntohs(place.sin_port);
  return listener;
}

// Adds what was read of the ranks that ran here. The readings of rank 0 are the launch's.
void add_readings(const std::deque<SensingReceiver>& sensing, schema::Launch& launch) {
  sensing.front().recorder().record(launch);
  for (std::size_t i = 0; i < std::min(sensing.size(), launch.ranks.size()); ++i) {
    schema::RankResult& rank = launch.ranks[i];
    rank.device_name = sensing[i].gpu_name();
    if (i == 0) continue;
    schema::Launch own;
    sensing[i].recorder().record(own);
    rank.sensors = std::move(own.sensors);
    rank.sensor_notes = std::move(own.sensor_notes);
  }
}

// What is read of the CPUs of a launch before and after it: how busy others keep them, how far they are apart,
// and whether the machine slept.
class CpuReadings {
 public:
  // IS_SPREAD: threads on these CPUs exchange data.
  CpuReadings(const std::vector<int>& cpus, bool is_spread) : cpus_(cpus), is_spread_(is_spread) { read_distance(); }

  void start() {
    slept_ = base::slept_seconds();
    before_ = read_machine_state(cpus_);
    start_ = base::steady_seconds();
  }

  void end() {
    wall_seconds_ = base::steady_seconds() - start_;
    after_ = read_machine_state(cpus_);
    slept_ = base::slept_seconds() - slept_;
    read_distance();
  }

  [[nodiscard]] bool has_slept() const { return slept_ > kLeastSleepSeconds; }
  [[nodiscard]] bool oom_kill_seen() const { return after_.oom_kills > before_.oom_kills; }

  // CPU_SECONDS are those of the launch's workers. HAS_OTHERS: more of its workers may run here.
  void record(double cpu_seconds, bool has_others, schema::Launch& launch) const {
    launch.wall_seconds = wall_seconds_;
    const std::optional<double> share = other_cpu_share(before_, after_, cpu_seconds, wall_seconds_);
    if (has_others) {
      launch.sensor_notes[schema::sensor::kOtherCpuShare] = "the workers of other ranks would count as other processes";
    } else if (share) {
      launch.sensors.push_back(schema::sensor_record(schema::sensor::kOtherCpuShare, *share));
    }
    if (distances_.empty()) return;
    const auto [least, most] = std::ranges::minmax(distances_);
    schema::SensorRecord& distance =
        launch.sensors.emplace_back(schema::sensor_record(schema::sensor::kCpuDistance, (least + most) / 2));
    distance.min = least;
    distance.max = most;
  }

 private:
  void read_distance() {
    if (const auto seconds = is_spread_ ? sensor::cpu_distance_seconds(cpus_) : std::nullopt)
      distances_.push_back(*seconds);
  }

  const std::vector<int>& cpus_;
  bool is_spread_;
  double slept_ = 0;
  double start_ = 0;
  double wall_seconds_ = 0;
  MachineState before_;
  MachineState after_;
  std::vector<double> distances_;  // in seconds
};

// Another front may already have noted what disturbed its rank.
void note_disturbance(bool was_stopped, schema::Launch& launch) {
  const auto has_load = [](const schema::RankResult& rank) { return schema::shows_background_load(rank.sensors); };
  if (was_stopped) {
    launch.disturbed = schema::Disturbance::stopped;
  } else if (schema::shows_background_load(launch.sensors) || std::ranges::any_of(launch.ranks, has_load)) {
    launch.disturbed = launch.disturbed.value_or(schema::Disturbance::background_load);
  }
}

}  // namespace

LaunchOutcome run_launch(const LaunchSetting& setting, const schema::LaunchRequest& request) {
  const schema::CaseSpec& spec = request.spec;
  if (spec.ranks == 1) return run_ranks(setting, {request});
  schema::LaunchRequest shared = request;
  schema::GroupPlace& group = shared.group ? *shared.group : shared.group.emplace();
  group.ranks = spec.ranks;
  group.address = kGroupAddress;
  std::vector<schema::LaunchRequest> ranks;
  for (std::int64_t rank = 0; rank < spec.ranks; ++rank)
    ranks.push_back(
        request_in_group(shared, rank, schema::DeviceId(spec.device.kind, spec.device.row().indexed ? rank : 0)));
  return run_ranks(setting, std::move(ranks));
}

// Only rank 0 compares its first step, writes it, and reports losses.
schema::LaunchRequest request_in_group(schema::LaunchRequest request, std::int64_t rank,
                                       const schema::DeviceId& device) {
  request.group.value().rank = rank;
  request.spec.device = device;
  if (rank == 0) return request;
  request.check_output = request.check_engine = request.report_losses = false;
  request.dump_first_step.reset();
  return request;
}

LaunchOutcome run_ranks(const LaunchSetting& setting, std::vector<schema::LaunchRequest> ranks, OtherRanks* others) {
  const schema::CaseSpec spec = ranks.front().spec;
  const std::int64_t least_samples = ranks.front().measure.min_samples;
  const std::vector<int> cpus =
      spec.affinity ? base::parse_cpu_list(*spec.affinity).value() : base::allowed_cpus();  // none: not known
  GroupListener listener;
  try {
    if (ranks.size() > 1) listener = listen_for_group();
  } catch (const std::system_error& error) {
    const std::string message = std::string("cannot listen for the processes of the launch: ") + error.what();
    return {failed_launch(schema::Status::crashed, {"spawn", message, ""}), std::nullopt};
  }
  std::shared_ptr<const sensor::Nvml> opened;  // when the first rank needs it, because that is slow
  const SharedNvml nvml = [&] { return opened ? opened : opened = sensor::Nvml::open(setting.sensors.nvml); };
  // Other processes' use of the GPU must be read before the worker opens it.
  if (spec.device.row().has_nvml) nvml();
  // The fronts of several ranks would measure the distance at the same time.
  CpuReadings readings(cpus, others == nullptr && spec.device.row().is_host && spec.threads * spec.ranks > 1);
  WorkerGroup group(setting.limits, &setting.interrupt, others);
  std::deque<SensingReceiver> receivers;  // a deque, because its elements do not move
  std::vector<schema::DeviceId> devices;
  for (schema::LaunchRequest& request : ranks) {
    const bool is_first = receivers.empty();  // only it reports, and has the machine's sensors
    devices.push_back(request.spec.device);
    request.front_pid = ::getpid();
    if (ranks.size() > 1 && request.group) request.group->port = listener.port;
    WorkerCommand command{.program = setting.worker,
                          .request_line = schema::to_line(schema::Request(std::move(request))),
                          .cpus = spec.affinity ? cpus : std::vector<int>{},
                          .listener = is_first ? listener.socket.get() : -1};
    group.add(std::move(command),
              receivers.emplace_back(is_first ? setting.on_event : EventSink(), setting.libtorch_version, nvml,
                                     is_first ? sensor::machine_sources(setting.sensors) : sensor::Sources{}));
  }
  const std::string started_at = base::utc_timestamp();
  readings.start();
  std::vector<WorkerEnd> ends = group.run();
  readings.end();

  double cpu_seconds = 0;
  std::vector<RankEnd> rank_ends;
  for (std::size_t rank = 0; rank < ends.size(); ++rank) {
    cpu_seconds += ends[rank].cpu_seconds;
    rank_ends.push_back({devices[rank], receivers[rank].received(), std::move(ends[rank])});
  }
  const Circumstances circumstances{setting.worker.string(), setting.limits.timeout_seconds, readings.oom_kill_seen(),
                                    least_samples};
  if (others != nullptr) {
    const RankEnd& here = rank_ends.front();
    std::ranges::move(others->finish(conclude(here.received, here.end, circumstances)), std::back_inserter(rank_ends));
  }
  LaunchOutcome outcome{conclude_group(rank_ends, circumstances), receivers.front().received().libtorch};
  outcome.launch.started_at = started_at;
  readings.record(cpu_seconds, others != nullptr, outcome.launch);
  add_readings(receivers, outcome.launch);
  note_disturbance(group.was_stopped() || readings.has_slept(), outcome.launch);
  return outcome;
}

ProbeOutcome probe(const std::filesystem::path& worker, Interrupt* interrupt, double timeout_seconds,
                   std::int64_t threads) {
  const std::string line =
      schema::to_line(schema::Request(schema::ProbeRequest{.front_pid = ::getpid(), .threads = threads}));
  EventReceiver session;
  const WorkerEnd end = run_worker({worker, line}, {timeout_seconds, 2}, session, interrupt);
  const ReceivedEvents& received = session.received();
  if (end.stop == Stop::interrupted) {
    throw base::Error(base::ErrorKind::interrupted, "stopped while the worker looked for devices");
  }
  if (received.probe && received.libtorch && received.protocol_error.empty())
    return {*received.probe, *received.libtorch};
  const schema::Launch launch = conclude(received, end, {worker.string(), timeout_seconds, false});
  std::string message = "the worker cannot report which devices are usable";
  if (launch.failure) {
    message += ": " + launch.failure->message;
    const std::string words = last_line(launch.failure->detail);
    if (!words.empty() && message.find(words) == std::string::npos) message += ": " + words;
    if (words != launch.failure->detail) base::log::detail(launch.failure->detail);
  }
  throw base::Error(base::ErrorKind::no_device, message);
}

}  // namespace mpsbench::supervise
