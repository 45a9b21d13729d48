#include "supervise/launch_runner.hpp"

#include "base/clock.hpp"
#include "base/cpu_list.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "sensor/cpu_distance.hpp"
#include "sensor/nvml_gpu.hpp"
#include "sensor/recorder.hpp"
#include "supervise/event_receiver.hpp"
#include "supervise/last_words.hpp"
#include "supervise/launch_group.hpp"
#include "supervise/machine_state.hpp"
#include "supervise/verdict.hpp"

#include <unistd.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace mpsbench::supervise {
namespace {

// The machine was asleep if one of its clocks lost more than this.
constexpr double kLeastSleepSeconds = 0.1;

// NVML for all ranks, opened when the first needs it, because that is slow.
class SharedNvml {
 public:
  explicit SharedNvml(const sensor::Places& places) : places_(places) {}
  const std::shared_ptr<const sensor::Nvml>& open() {
    if (!nvml_) nvml_ = sensor::Nvml::open(places_.nvml);
    return nvml_;
  }

 private:
  const sensor::Places& places_;
  std::shared_ptr<const sensor::Nvml> nvml_;
};

// Reads SOURCES and the sensors of the worker's GPU while it measures, and passes the events on to another
// listener.
class SensingListener final : public ForwardingListener {
 public:
  SensingListener(LaunchListener& other, SharedNvml& nvml, sensor::Sources sources, const schema::DeviceId& device)
      : ForwardingListener(other), nvml_(nvml), recorder_(std::move(sources)) {
    // Other processes' use of the GPU must be read before the worker opens it.
    if (device.row().has_nvml) nvml_.open();
  }

  void on_phase(schema::Phase phase) override {
    recorder_.on_phase(phase);
    ForwardingListener::on_phase(phase);
  }
  void on_gpu(const std::string& pci_bus_id) override {
    auto gpu = std::make_unique<sensor::NvmlGpu>(nvml_.open(), pci_bus_id);
    const sensor::Readings others = gpu->others();
    gpu_name_ = gpu->name();
    recorder_.add(std::move(gpu), others);
  }
  void on_result() override { recorder_.on_result(); }
  void on_tick() override { recorder_.on_tick(); }

  [[nodiscard]] const sensor::Recorder& recorder() const { return recorder_; }
  [[nodiscard]] const std::optional<std::string>& gpu_name() const { return gpu_name_; }

 private:
  SharedNvml& nvml_;
  std::optional<std::string> gpu_name_;
  sensor::Recorder recorder_;
};

schema::LaunchRequest request_of_rank(schema::LaunchRequest request, std::int64_t rank) {
  if (request.spec.ranks == 1) return request;
  if (!request.group) request.group = schema::GroupPlace{};
  request.group->ranks = request.spec.ranks;
  request.group->address = kGroupAddress;
  const schema::DeviceKind kind = request.spec.device.kind;
  return request_in_group(std::move(request), rank, schema::DeviceId(kind, row_of(kind).indexed ? rank : 0));
}

// Adds the ends of the OTHERS to those of the ranks that ran here.
void add_ends(OtherRanks& others, const Circumstances& circumstances, std::vector<RankEnd>& ends) {
  const RankEnd& here = ends.front();
  std::ranges::move(others.finish(conclude(here.received, here.end, circumstances)), std::back_inserter(ends));
}

// Adds what was read of the ranks that ran here. The readings of rank 0 are the launch's.
void add_readings(const std::deque<SensingListener>& sensing, schema::Launch& launch) {
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

// The CPUs that the workers of REQUEST's launch may use; none if the system does not say.
std::vector<int> cpus_of(const schema::LaunchRequest& request) {
  return request.spec.affinity ? base::parse_cpu_list(*request.spec.affinity).value() : base::allowed_cpus();
}

// Measures how far the CPUs of a launch are apart, before and after it.
class DistanceReader {
 public:
  // IS_NEEDED: the launch's threads exchange data.
  DistanceReader(const std::vector<int>& cpus, bool is_needed) : cpus_(cpus), is_needed_(is_needed) {}

  void read() {
    if (const auto seconds = is_needed_ ? sensor::cpu_distance_seconds(cpus_) : std::nullopt)
      seconds_.push_back(*seconds);
  }
  void record(schema::Launch& launch) const {
    if (seconds_.empty()) return;
    const auto [least, most] = std::ranges::minmax(seconds_);
    launch.sensors.push_back(schema::sensor_record(schema::sensor::kCpuDistance, (least + most) / 2));
    launch.sensors.back().min = least;
    launch.sensors.back().max = most;
  }

 private:
  const std::vector<int>& cpus_;
  bool is_needed_;
  std::vector<double> seconds_;
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

// What the ranks of a launch run, and who listens to their sensors. Its members refer to what it was made of.
struct LocalRanks {
  LaunchListener nobody;
  std::deque<SensingListener> sensing{};  // a deque, because its elements do not move
  std::vector<schema::DeviceId> devices{};
  std::vector<WorkerCommand> commands{};

  // Only rank 0 reports to LISTENER, and only it reads the machine's sensors.
  void add(const std::filesystem::path& worker, RankRequest rank, LaunchListener& listener, SharedNvml& nvml,
           const sensor::Places& sensors, const std::vector<int>& cpus) {
    auto& [request, environment] = rank;
    const bool is_first = commands.empty();
    devices.push_back(request.spec.device);
    sensing.emplace_back(is_first ? listener : nobody, nvml,
                         is_first ? sensor::machine_sources(sensors) : sensor::Sources{}, devices.back());
    request.front_pid = ::getpid();
    const bool is_bound = request.spec.affinity.has_value();
    commands.push_back({worker, schema::to_line(schema::Request(std::move(request))), {}, std::move(environment)});
    if (is_bound) commands.back().cpus = cpus;
  }
};

void record_other_share(const std::optional<double>& share, const OtherRanks* others, schema::Launch& launch) {
  if (others != nullptr) {
    launch.sensor_notes[schema::sensor::kOtherCpuShare] = "the workers of other ranks would count as other processes";
  } else if (share) {
    launch.sensors.push_back(schema::sensor_record(schema::sensor::kOtherCpuShare, *share));
  }
}

LaunchOutcome not_started(const std::string& reason) {
  LaunchOutcome outcome;
  outcome.launch.status = schema::Status::crashed;
  outcome.launch.started_at = base::utc_timestamp();
  outcome.launch.failure = {"spawn", "cannot listen for the processes of the launch: " + reason, ""};
  return outcome;
}

}  // namespace

LaunchOutcome run_launch(const std::filesystem::path& worker, const schema::LaunchRequest& request,
                         const LaunchLimits& limits, LaunchListener& listener, Interrupt& interrupt,
                         const std::optional<std::string>& libtorch_version, const sensor::Places& sensors) {
  std::vector<RankRequest> ranks;
  for (std::int64_t rank = 0; rank < request.spec.ranks; ++rank) ranks.push_back({request_of_rank(request, rank)});
  return run_ranks(worker, std::move(ranks), limits, listener, interrupt, libtorch_version, sensors);
}

LaunchOutcome run_ranks(const std::filesystem::path& worker, std::vector<RankRequest> ranks, const LaunchLimits& limits,
                        LaunchListener& listener, Interrupt& interrupt,
                        const std::optional<std::string>& libtorch_version, const sensor::Places& sensors,
                        OtherRanks* others) {
  const std::vector<int> cpus = cpus_of(ranks.front().request);
  const schema::CaseSpec& spec = ranks.front().request.spec;
  // The fronts of several ranks would measure at the same time.
  DistanceReader distance(cpus, others == nullptr && spec.device.row().is_host && spec.threads * spec.ranks > 1);
  const std::int64_t least_samples = ranks.front().request.measure.min_samples;
  SharedNvml nvml(sensors);
  LocalRanks local;
  GroupListener listener_of_group;
  if (ranks.size() > 1) {
    try {
      listener_of_group = listen_for_group();
    } catch (const std::system_error& error) {
      return not_started(error.what());
    }
  }
  for (RankRequest& rank : ranks) {
    if (ranks.size() > 1 && rank.request.group) rank.request.group->port = listener_of_group.port;
    local.add(worker, std::move(rank), listener, nvml, sensors, cpus);
  }
  local.commands.front().listener = listener_of_group.socket.get();
  distance.read();
  const std::string started_at = base::utc_timestamp();
  const double slept_before = base::slept_seconds();
  const MachineState before = read_machine_state(cpus);
  const double start = base::steady_seconds();
  WorkerGroup group(limits, &interrupt, others);
  std::deque<EventReceiver> sessions;
  for (std::size_t i = 0; i < local.commands.size(); ++i)
    group.add(std::move(local.commands[i]), sessions.emplace_back(local.sensing[i], libtorch_version));
  std::vector<WorkerEnd> ends = group.run();
  const double wall_seconds = base::steady_seconds() - start;
  const MachineState after = read_machine_state(cpus);
  const bool was_stopped = group.was_stopped() || base::slept_seconds() - slept_before > kLeastSleepSeconds;
  distance.read();

  double cpu_seconds = 0;
  std::vector<RankEnd> rank_ends;
  for (std::size_t rank = 0; rank < ends.size(); ++rank) {
    cpu_seconds += ends[rank].cpu_seconds;
    rank_ends.push_back({local.devices[rank], sessions[rank].received(), std::move(ends[rank])});
  }
  const Circumstances circumstances{worker.string(), limits.timeout_seconds, after.oom_kills > before.oom_kills,
                                    least_samples};
  if (others != nullptr) add_ends(*others, circumstances, rank_ends);
  LaunchOutcome outcome{conclude_group(rank_ends, circumstances), sessions.front().received().libtorch};
  outcome.launch.started_at = started_at;
  outcome.launch.wall_seconds = wall_seconds;
  record_other_share(other_cpu_share(before, after, cpu_seconds, wall_seconds), others, outcome.launch);
  distance.record(outcome.launch);
  add_readings(local.sensing, outcome.launch);
  note_disturbance(was_stopped, outcome.launch);
  return outcome;
}

ProbeOutcome probe(const std::filesystem::path& worker, Interrupt* interrupt, double timeout_seconds,
                   std::int64_t threads) {
  const std::string line =
      schema::to_line(schema::Request(schema::ProbeRequest{.front_pid = ::getpid(), .threads = threads}));
  LaunchListener nobody;
  EventReceiver session(nobody);
  const WorkerEnd end = run_worker({worker, line}, {timeout_seconds, 2}, session, interrupt);
  const ReceivedEvents& received = session.received();
  if (end.stop == Stop::interrupted) {
    throw base::Error(base::ErrorKind::interrupted, "stopped while the worker looked for devices");
  }
  if (received.probe && received.libtorch && received.protocol_error.empty())
    return {received.probe->devices, *received.libtorch, received.probe->tool, received.probe->libtorch_folder,
            received.probe->threads};
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
