#include "supervise/verdict.hpp"

#include "base/clock.hpp"
#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/units.hpp"
#include "schema/launch_part.hpp"
#include "supervise/program_end.hpp"

#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <variant>

namespace mpsbench::supervise {

namespace {

using schema::Failure;
using schema::FailureEvent;
using schema::Status;

std::string preview(const std::string& line) {
  constexpr std::size_t kLength = 60;
  std::string text = line.substr(0, kLength);
  std::ranges::replace_if(text, [](char c) { return c < ' ' || c > '~'; }, '?');
  return '"' + text + (line.size() > kLength ? "..." : "") + '"';
}

bool ended_well(const WorkerEnd& end) {
  return WIFEXITED(end.wait_status) && WEXITSTATUS(end.wait_status) == 0;
}

std::string where(const ReceivedEvents& received) {
  if (!received.libtorch) return " at its start";
  if (received.verdict()) return " after its last event";
  return received.phase ? " in phase " + to_string(*received.phase) : " before its first phase";
}

FailureEvent crashed(std::string kind, std::string message) {
  return {Status::crashed, {std::move(kind), std::move(message), ""}};
}

bool ran_out_of_memory(const std::string& stderr_tail) {
  constexpr std::array<const char*, 3> kSigns{"std::bad_alloc", "libgomp: Out of memory",
                                              "DefaultCPUAllocator: can't allocate memory"};
  return std::ranges::any_of(kSigns, [&](const char* sign) { return stderr_tail.find(sign) != std::string::npos; });
}

FailureEvent bad_end(const ReceivedEvents& received, const WorkerEnd& end, const Circumstances& circumstances) {
  // Nothing could catch it, or there was too little memory to tell it.
  const bool gave_up = was_killed_by(end, SIGABRT) || WIFEXITED(end.wait_status);
  if (gave_up && ran_out_of_memory(end.stderr_tail))
    return {Status::oom, {"oom", "out of memory on the host" + where(received) + "; lower --batch-size", ""}};
  std::string message = describe_end(end.wait_status) + where(received);
  // A fault cuts the worker off in the middle of whatever it wrote, unless that tells the reason.
  const std::string words = gave_up || !received.libtorch ? last_words(end.stderr_tail) : telling_line(end.stderr_tail);
  if (!words.empty()) message += ": " + words;
  if (!was_killed_by(end, SIGKILL)) return crashed(WIFSIGNALED(end.wait_status) ? "signal" : "exit", message);
  if (circumstances.oom_kill_seen) {
    return {Status::oom, {"oom", "out of memory: the kernel killed the worker" + where(received), ""}};
  }
  return crashed("signal", message + "; the machine may have run out of memory");
}

std::optional<FailureEvent> gpu_outcome(const std::string& stderr_tail) {
  if (!lost_gpu_work(stderr_tail)) return std::nullopt;
  if (stderr_tail.find("OutOfMemory") != std::string::npos)
    return FailureEvent{Status::oom, {"oom", "out of memory: Metal aborted work on the GPU; lower --batch-size", ""}};
  return FailureEvent{Status::failed,
                      {"lost_work", "Metal aborted work on the GPU, so its results and times are wrong", ""}};
}

// Returns nullopt if the worker's own result counts.
std::optional<FailureEvent> outcome(const ReceivedEvents& received, const WorkerEnd& end,
                                    const Circumstances& circumstances) {
  if (!end.spawn_error.empty()) {
    return crashed("spawn", "cannot start " + circumstances.worker + ": " + end.spawn_error);
  }
  if (end.stop == Stop::timeout) {
    const std::string message =
        "not finished within " + base::format_duration(circumstances.timeout_seconds) + ", stopped" + where(received);
    const std::string blamed = received.libtorch ? "" : base::blame_openmp(message, "raise --timeout");
    return FailureEvent{Status::timeout, {"timeout", blamed.empty() ? message + "; raise --timeout" : blamed, ""}};
  }
  if (!received.protocol_error.empty()) return crashed(schema::kProtocolFailure, received.protocol_error);
  if (received.failure) return FailureEvent{received.failure->status, received.failure->failure};
  const bool is_whole = received.result && ended_well(end);
  if (end.stop == Stop::interrupted && !is_whole) {
    return FailureEvent{Status::interrupted, {"interrupted", "stopped by the user" + where(received), ""}};
  }
  if (end.stop == Stop::frozen && !is_whole) {
    return crashed("signal", "the worker was stopped by a signal" + where(received) + " and did not go on");
  }
  if (end.stop == Stop::peer && !is_whole) {
    return FailureEvent{Status::interrupted,
                        {kPeerFailure, "stopped" + where(received) + ": another rank had failed", ""}};
  }
  if (received.result && !ended_well(end)) {
    if (auto lost = gpu_outcome(end.stderr_tail)) return lost;
  }
  if (!ended_well(end)) return bad_end(received, end, circumstances);
  if (end.half_line) return crashed(schema::kProtocolFailure, "the worker ended in the middle of an event");
  if (!received.libtorch) return crashed(schema::kProtocolFailure, "the worker ended without sending an event");
  if (!received.result) return crashed(schema::kProtocolFailure, "the worker ended without a result" + where(received));
  if (received.result->status == Status::ok) return gpu_outcome(end.stderr_tail);
  return std::nullopt;
}

// Adds what the front knows to what a worker says of itself.
schema::RankResult result_of(std::int64_t rank, const schema::DeviceId& device, schema::Launch launch) {
  schema::RankResult result = launch.ranks.empty() ? schema::RankResult{} : std::move(launch.ranks.front());
  result.rank = rank;
  result.device = device;
  result.status = launch.status;
  result.failure = std::move(launch.failure);
  result.first_step_seconds = launch.first_step_seconds;
  result.working_threads = launch.working_threads;
  result.peak_resident_bytes = launch.peak_resident_bytes;
  result.peak_device_bytes = launch.peak_device_bytes;
  result.peak_reserved_bytes = launch.peak_reserved_bytes;
  if (rank == 0) return result;
  result.sensors = std::move(launch.sensors);
  result.sensor_notes = std::move(launch.sensor_notes);
  return result;
}

bool failed(const schema::RankResult& result, const WorkerEnd& end) {
  return result.status != schema::Status::ok && end.stop != Stop::peer;
}

}  // namespace

EventReceiver::EventReceiver(EventSink on_event, std::optional<std::string> libtorch_version)
    : on_event_(std::move(on_event)),
      libtorch_version_(std::move(libtorch_version)),
      started_at_(base::steady_seconds()) {}

bool EventReceiver::on_line(const std::string& line) {
  try {
    take(schema::parse_event(line));
  } catch (const base::Error& error) {
    received_.protocol_error = "the worker sent " + preview(line) + ": " + error.what();
  }
  return received_.protocol_error.empty();
}

void EventReceiver::on_line_too_long() {
  received_.protocol_error = "the worker sent an event longer than 64 MiB";
}

bool EventReceiver::reports_success() const {
  const bool is_good = received_.result && received_.result->status == Status::ok;
  return received_.protocol_error.empty() && (is_good || received_.probe);
}

bool EventReceiver::reports_lost_rank() const {
  return (received_.result && schema::is_lost_rank(received_.result->failure)) ||
         (received_.failure && schema::is_lost_rank(received_.failure->failure));
}

void EventReceiver::take(schema::Event event) {
  std::string& error = received_.protocol_error;
  auto* hello = std::get_if<schema::HelloEvent>(&event);
  if ((hello != nullptr) == received_.libtorch.has_value()) {
    error = hello != nullptr ? "the worker sent two hello events" : "the worker sent an event before its hello event";
  } else if (received_.verdict()) {
    error = "the worker sent more events after its last event";
  } else if (hello != nullptr) {
    received_.load_seconds = base::steady_seconds() - started_at_;
    received_.libtorch = hello->libtorch;
    if (libtorch_version_ && *libtorch_version_ != hello->libtorch.version)
      error = "the worker has LibTorch " + hello->libtorch.version + ", but this run uses " + *libtorch_version_;
  }
  if (!error.empty()) return;
  if (on_event_) on_event_(event);
  if (const auto* phase = std::get_if<schema::PhaseEvent>(&event)) {
    received_.phase = phase->phase;
  } else if (auto* part = std::get_if<schema::PartEvent>(&event)) {
    schema::add_part(received_.so_far, std::move(part->launch));
  } else if (auto* result = std::get_if<schema::ResultEvent>(&event)) {
    received_.result = std::move(result->launch);
  } else if (auto* failure = std::get_if<schema::FailureEvent>(&event)) {
    received_.failure = std::move(*failure);
  } else if (auto* probe = std::get_if<schema::ProbeEvent>(&event)) {
    received_.probe = std::move(*probe);
  } else if (std::holds_alternative<schema::MetEvent>(event) || std::holds_alternative<schema::MessageEvent>(event) ||
             std::holds_alternative<schema::LostEvent>(event)) {
    error = "the worker sent an event that does not answer its request";
  }
}

schema::Launch failed_launch(Status status, Failure failure) {
  schema::Launch launch;
  launch.status = status;
  launch.started_at = base::utc_timestamp();
  launch.failure = std::move(failure);
  return launch;
}

schema::Launch conclude(const ReceivedEvents& received, const WorkerEnd& end, const Circumstances& circumstances) {
  schema::Launch launch = received.result.value_or(lost_gpu_work(end.stderr_tail) ? schema::Launch{} : received.so_far);
  if (auto bad = outcome(received, end, circumstances)) {
    launch.status = bad->status;
    launch.failure = std::move(bad->failure);
  }
  const bool is_at_start =
      !received.libtorch && end.spawn_error.empty() && end.stop == Stop::none && received.protocol_error.empty();
  if (launch.failure) launch.failure->message = with_cure(launch.failure->message, is_at_start);
  if (launch.status != Status::ok) schema::note_few_samples(launch, circumstances.least_samples);
  if (launch.failure && launch.failure->detail.empty()) launch.failure->detail = end.stderr_tail;
  if (launch.setup_seconds && launch.setup_seconds->load <= 0) launch.setup_seconds->load = received.load_seconds;
  if (!launch.peak_resident_bytes && end.peak_resident_bytes > 0) {
    launch.peak_resident_bytes = end.peak_resident_bytes;
  }
  return launch;
}

schema::Launch conclude_group(const std::vector<RankEnd>& ranks, const Circumstances& circumstances) {
  schema::Launch launch = conclude(ranks.front().received, ranks.front().end, circumstances);
  if (ranks.size() == 1) return launch;
  std::optional<std::size_t> first;
  std::vector<schema::RankResult> results;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const auto& [device, received, end] = ranks[i];
    schema::Launch own = i == 0 ? launch : conclude(received, end, circumstances);
    if (own.disturbed) launch.disturbed = own.disturbed;
    results.push_back(result_of(static_cast<std::int64_t>(i), device, std::move(own)));
    if (!failed(results.back(), end)) continue;
    // A rank that lost another one may be the first whose end is known.
    const auto order = [&](std::size_t rank) {
      return std::pair(schema::is_lost_rank(results[rank].failure), ranks[rank].end.over_seconds);
    };
    if (!first || order(i) < order(*first)) first = i;
  }
  launch.ranks = std::move(results);
  if (!first) return launch;
  launch.status = launch.ranks[*first].status;
  launch.failure = launch.ranks[*first].failure;
  if (launch.failure) launch.failure->message = "rank " + std::to_string(*first) + ": " + launch.failure->message;
  return launch;
}

}  // namespace mpsbench::supervise
