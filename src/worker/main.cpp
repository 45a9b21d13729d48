#include "worker/main.hpp"

#include "base/error.hpp"
#include "base/process_memory.hpp"
#include "device/cpu.hpp"
#include "device/libtorch_info.hpp"
#include "schema/host.hpp"
#include "schema/messages.hpp"
#include "worker/channel.hpp"
#include "worker/launch.hpp"
#include "worker/parent_watch.hpp"
#include "worker/probe.hpp"
#include "worker/rendezvous.hpp"

#include <ATen/Parallel.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

namespace mpsbench::worker {
namespace {

std::int64_t front_pid(const schema::Request& request) {
  return std::visit([](const auto& one) { return one.front_pid; }, request);
}

bool is_rank(const schema::Request& request) {
  const auto* launch = std::get_if<schema::LaunchRequest>(&request);
  return launch != nullptr && launch->group.has_value();
}

schema::Event answer(const schema::Request& request, Channel& channel) {
  if (const auto* launch = std::get_if<schema::LaunchRequest>(&request)) {
    return run_launch(*launch, channel);
  }
  at::set_num_threads(static_cast<int>(std::get<schema::ProbeRequest>(request).threads));
  return schema::ProbeEvent{probe(), schema::tool_info(), device::libtorch_folder().string(),
                            device::count_working_threads()};
}

void serve(Channel& channel) {
  std::string line;
  if (!std::getline(std::cin, line))
    throw base::usage_error("no request on stdin; do not start this program yourself, use mpsbench");
  const schema::Request request = schema::parse_request(line);
  const auto* rendezvous = std::get_if<schema::RendezvousRequest>(&request);
  if (!end_with_front(front_pid(request), rendezvous != nullptr ? Input::caller : Input::nobody))
    throw base::Error(base::ErrorKind::interrupted, "mpsbench has ended");
  if (const auto* launch = std::get_if<schema::LaunchRequest>(&request)) {
    if (launch->spec.device.row().is_host) base::limit_memory(launch->spec.ranks);
    at::set_num_threads(static_cast<int>(launch->spec.threads));
    if (const auto threads = launch->spec.interop_threads) at::set_num_interop_threads(static_cast<int>(*threads));
  }
  channel.send(schema::HelloEvent{.libtorch = device::libtorch_info()});
  if (rendezvous != nullptr) connect_fronts(*rendezvous, channel);
  const schema::Event last = answer(request, channel);
  channel.send(last);
  // Other ranks may wait for this one on a GPU, and what is open there would wait for them.
  const auto* result = std::get_if<schema::ResultEvent>(&last);
  if (is_rank(request) && result != nullptr && result->launch.status != schema::Status::ok) std::_Exit(0);
}

}  // namespace

int run() {
  std::signal(SIGPIPE, SIG_IGN);
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

}  // namespace mpsbench::worker
