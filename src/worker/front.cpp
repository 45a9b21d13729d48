#include "worker/front.hpp"

#include "base/error.hpp"
#include "collective/relay.hpp"
#include "device/libtorch_info.hpp"

#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string_view>
#include <thread>

#ifdef __APPLE__
#include <poll.h>

#include <array>
#else
#include <sys/prctl.h>
#endif

namespace mpsbench::worker {

namespace {

#ifdef __APPLE__
// The front keeps the worker's stdin open as long as it lives.
void exit_at_end_of_input() {
  std::array<char, 256> ignored{};
  while (::read(STDIN_FILENO, ignored.data(), ignored.size()) > 0) {
  }
  ::_exit(1);
}
#endif

constexpr std::chrono::milliseconds kWatch{500};

}  // namespace

bool end_with_front(std::int64_t front_pid, [[maybe_unused]] Input input) {
#ifdef __APPLE__
  if (input == Input::nobody) std::thread(exit_at_end_of_input).detach();
#else
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  // The front may have ended before the watch was set up.
  return ::getppid() == front_pid;
}

// The format is "PID (NAME) STATE ...". NAME may contain any character.
bool is_front_stopped(std::int64_t front_pid) {
  std::ifstream file("/proc/" + std::to_string(front_pid) + "/stat");
  std::string text;
  std::getline(file, text, '\0');
  const std::size_t name_end = text.rfind(") ");
  return name_end != std::string::npos && std::toupper(text.at(name_end + 2)) == 'T';
}

void connect_fronts(schema::RendezvousRequest request, Events& events) {
  // A launcher such as srun sends its signals to all processes. The front ends this one when it has told the others.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
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

Channel::Channel() {
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
}

void Channel::send(const schema::Event& event) {
  const std::string line = schema::to_line(event) + "\n";
  const std::lock_guard lock(mutex_);
  for (std::string_view rest = line; !rest.empty();) {
    const ssize_t written = ::write(schema::kEventDescriptor, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0)
      throw base::Error(base::ErrorKind::internal, "cannot send events to mpsbench: the channel is closed");
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace mpsbench::worker
