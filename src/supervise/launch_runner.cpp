#include "supervise/launch_runner.hpp"

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "supervise/event_session.hpp"
#include "supervise/machine_state.hpp"
#include "supervise/verdict.hpp"

#include <unistd.h>

#include <utility>

namespace mpsbench::supervise {
LaunchOutcome run_launch(const std::filesystem::path& worker, schema::LaunchRequest request,
                         const LaunchLimits& limits, LaunchListener& listener, Interrupt& interrupt,
                         std::optional<std::string> libtorch_version) {
  request.front_pid = ::getpid();
  const std::string line = schema::to_line(schema::Request(std::move(request)));
  const std::string started_at = base::utc_timestamp();
  const MachineState before = read_machine_state();
  const double start = base::steady_seconds();
  EventSession session(listener, std::move(libtorch_version));
  const WorkerEnd end = run_worker(worker, line, limits, session, &interrupt);
  const double wall_seconds = base::steady_seconds() - start;
  const MachineState after = read_machine_state();

  const Circumstances circumstances{worker.string(), limits.timeout_seconds,
                                    after.oom_kills > before.oom_kills};
  LaunchOutcome outcome{conclude(session.heard(), end, circumstances), session.heard().libtorch};
  outcome.launch.started_at = started_at;
  outcome.launch.wall_seconds = wall_seconds;
  if (const auto share = other_cpu_share(before, after, end.cpu_seconds, wall_seconds)) {
    outcome.launch.sensors.push_back({"other_cpu_share", "1", *share});
  }
  return outcome;
}

ProbeOutcome probe(const std::filesystem::path& worker, Interrupt* interrupt, double timeout_seconds) {
  const std::string line = schema::to_line(schema::Request(schema::ProbeRequest{::getpid()}));
  LaunchListener nobody;
  EventSession session(nobody);
  const WorkerEnd end = run_worker(worker, line, {timeout_seconds, 2}, session, interrupt);
  const Heard& heard = session.heard();
  if (end.stop == Stop::interrupted) {
    throw base::Error(base::ErrorKind::interrupted, "stopped while the worker looked for devices");
  }
  if (heard.devices && heard.libtorch && heard.protocol_error.empty())
    return {*heard.devices, *heard.libtorch};
  const schema::Launch launch = conclude(heard, end, {worker.string(), timeout_seconds, false});
  std::string message = "the worker cannot say which devices are usable";
  if (launch.failure) {
    message += ": " + launch.failure->message;
    const std::string words = last_line(launch.failure->detail);
    if (!words.empty()) message += ": " + words;
    if (words != launch.failure->detail) base::log::detail(launch.failure->detail);
  }
  throw base::Error(base::ErrorKind::no_device, message);
}

}  // namespace mpsbench::supervise
