#include "worker/rendezvous.hpp"

#include "base/error.hpp"
#include "collective/relay.hpp"
#include "device/libtorch_info.hpp"
#include "worker/parent_watch.hpp"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>

namespace mpsbench::worker {
namespace {

constexpr std::chrono::milliseconds kWatch{500};

// A launcher such as srun sends its signals to all processes. The front ends this one when it has told the
// others.
void leave_signals_to_front() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
}

}  // namespace

void connect_fronts(schema::RendezvousRequest request, Events& events) {
  leave_signals_to_front();
  ::setenv("TORCH_CPP_LOG_LEVEL", "ERROR", 0);  // warnings of c10d would be quoted as the reason of a failure
  const auto tell = [&events](const schema::Event& event) {
    try {
      events.send(event);
    } catch (const base::Error&) {
      ::_exit(static_cast<int>(base::ExitCode::incomplete));  // the front no longer reads
    }
  };
  const auto lives = [front = request.front_pid] { return !is_front_stopped(front); };
  request.facts.libtorch = device::libtorch_info().version;
  collective::Relay relay(std::move(request), lives, tell);
  std::thread([&relay] {
    while (true) {
      std::this_thread::sleep_for(kWatch);
      relay.watch();
    }
  }).detach();
  for (std::string line; std::getline(std::cin, line);) relay.send(line);
  relay.flush();
  ::_exit(0);  // the relay's threads may wait for a store that no longer answers
}

}  // namespace mpsbench::worker
