#include "worker/main.hpp"

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/process_memory.hpp"
#include "device/cpu.hpp"
#include "device/kinds.hpp"
#include "device/libtorch_errors.hpp"
#include "device/libtorch_info.hpp"
#include "measure/measure_launch.hpp"
#include "measure/timer.hpp"
#include "schema/host.hpp"
#include "schema/rank.hpp"
#include "step/engine.hpp"
#include "step/feed.hpp"
#include "worker/batches.hpp"
#include "worker/prepared_launch.hpp"

#include <ATen/Parallel.h>
#include <c10/util/Exception.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <new>
#include <string>
#include <utility>

namespace mpsbench::worker {

namespace {

void serve(Channel& channel) {
  std::string line;
  if (!std::getline(std::cin, line))
    throw base::usage_error("no request on stdin; do not start this program yourself, use mpsbench");
  const schema::Request request = schema::parse_request(line);
  const auto* rendezvous = std::get_if<schema::RendezvousRequest>(&request);
  const std::int64_t front = std::visit([](const auto& one) { return one.front_pid; }, request);
  if (!end_with_front(front, rendezvous != nullptr ? Input::caller : Input::nobody))
    throw base::Error(base::ErrorKind::interrupted, "mpsbench has ended");
  const auto* launch = std::get_if<schema::LaunchRequest>(&request);
  if (launch != nullptr) {
    if (launch->spec.device.row().is_host) base::limit_memory(launch->spec.ranks);
    at::set_num_threads(static_cast<int>(launch->spec.threads));
    if (const auto threads = launch->spec.interop_threads) at::set_num_interop_threads(static_cast<int>(*threads));
  }
  channel.send(schema::HelloEvent{.libtorch = device::libtorch_info()});
  if (rendezvous != nullptr) connect_fronts(*rendezvous, channel);
  if (launch == nullptr) {
    at::set_num_threads(static_cast<int>(std::get<schema::ProbeRequest>(request).threads));
    return channel.send(schema::ProbeEvent{probe(), schema::tool_info(), device::libtorch_folder().string(),
                                           device::count_working_threads()});
  }
  const schema::ResultEvent last = run_launch(*launch, channel);
  channel.send(last);
  // Other ranks may wait for this one on a GPU, and what is open there would wait for them.
  if (launch->group && last.launch.status != schema::Status::ok) std::_Exit(0);
}

}  // namespace

std::vector<schema::DeviceStatus> probe() {
  std::vector<schema::DeviceStatus> devices = device::probe_devices();
  for (schema::DeviceStatus& status : devices) {
    if (status.precisions.empty()) continue;  // this device does not exist here
    for (const auto& engine : schema::ClosedSet<schema::Engine>::kRows)
      status.engines.push_back({engine.value, step::why_no_engine(status.device.kind, engine.value)});
  }
  return devices;
}

int run() {
  std::signal(SIGPIPE, SIG_IGN);
  base::count_continues();
  device::keep_freed_memory();
  try {
    Channel channel;
    serve(channel);
    return 0;
  } catch (const base::Error& error) {
    std::fprintf(stderr, "mpsbench-worker: %s\n", error.what());
    return static_cast<int>(base::exit_code(error.kind()));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "mpsbench-worker: %s\n", error.what());
    return static_cast<int>(base::ExitCode::incomplete);
  }
}

namespace {

// Runs a launch of --mode data: only the input pipeline, without a network or a device. A step takes one batch of the
// training rows, shuffled and cropped as for training. After the last batch of an epoch the next epoch begins. If a
// step throws, LAUNCH keeps what was measured until then. Throws Error(usage) if the files cannot be opened.
void measure_data(const schema::LaunchRequest& request, Events& events, schema::Launch& launch) {
  const double begin = base::steady_seconds();
  PartSender observer(events, launch);
  observer.on_phase(schema::Phase::data);
  step::DataStep step(open_files(request, /*pinned=*/false, launch));
  launch.setup_seconds = schema::SetupSeconds{};  // the front measures load
  launch.setup_seconds->data = base::steady_seconds() - begin;

  base::reset_peak_resident();
  measure::HostTimer timer;
  measure::measure_launch(step, timer, observer, measure::alone(), request.measure, measure::work_amount(request.spec),
                          /*latency=*/false, launch);
  launch.peak_resident_bytes = base::peak_resident_bytes();
}

schema::ResultEvent failed(schema::Launch launch, schema::Status status, const std::string& kind,
                           const std::string& message, const std::string& detail) {
  launch.status = status;
  launch.failure = schema::Failure{kind, message, detail};
  return {std::move(launch)};
}

// PREPARED receives what was prepared, and keeps it if the launch fails.
schema::ResultEvent measured_launch(const schema::LaunchRequest& request, Events& events,
                                    std::unique_ptr<PreparedLaunch>& prepared) {
  using schema::Status;
  schema::Launch launch;  // keeps all that was measured, even if the launch fails
  if (request.group) launch.ranks.emplace_back();
  try {
    if (request.spec.mode == schema::Mode::data) {
      measure_data(request, events, launch);
    } else {
      prepared = prepare(request, events, launch);
      prepared->measure(events, launch);
    }
    return {std::move(launch)};
  } catch (const UntrustedLaunch& untrusted) {
    return failed(launch, Status::failed, untrusted.failure.kind, untrusted.failure.message, "");
  } catch (const c10::Error& error) {
    const std::string text = error.what_without_backtrace();
    if (device::says_out_of_memory(text))
      return failed(launch, Status::oom, "oom", device::out_of_memory_message(text), text);
    if (const std::string reason = device::why_unsupported(text); !reason.empty())
      return failed(launch, Status::unsupported, "device", reason, text);
    return failed(launch, Status::failed, "exception", base::first_line(text), text);
  } catch (const std::bad_alloc&) {
    return failed(launch, Status::oom, "oom", "out of memory on the host; lower --batch-size", "");
  } catch (const base::Error& error) {
    if (error.kind() == base::ErrorKind::incomplete)
      return failed(launch, Status::failed, schema::kLostRank, base::first_line(error.what()), error.what());
    const bool no_device = error.kind() == base::ErrorKind::no_device;
    return failed(launch, no_device ? Status::unsupported : Status::failed, no_device ? "device" : "input",
                  base::first_line(error.what()), error.what());
  } catch (const std::exception& error) {
    return failed(launch, Status::failed, "exception", base::first_line(error.what()), error.what());
  }
}

}  // namespace

schema::ResultEvent run_launch(const schema::LaunchRequest& request, Events& events) {
  std::unique_ptr<PreparedLaunch> prepared;
  schema::ResultEvent last = measured_launch(request, events, prepared);
  // What a failed rank has open may wait for the other ranks. Its process ends without closing it.
  if (request.group && last.launch.status != schema::Status::ok) {
    [[maybe_unused]] const PreparedLaunch* left_open = prepared.release();
  }
  return last;
}

}  // namespace mpsbench::worker
