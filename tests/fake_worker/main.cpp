// A worker without LibTorch that replays a script: see script.hpp.
#include "fake_worker/player.hpp"

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <variant>

#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace {

// Like the real worker, ends when its front ends.
void die_with(const mpsbench::schema::Request& request) {
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const auto front = std::visit([](const auto& one) { return one.front_pid; }, request);
  if (::getppid() != front) ::_exit(1);
#else
  static_cast<void>(request);
#endif
}

}  // namespace

int main() {
  try {
    const mpsbench::fake_worker::Script script = mpsbench::fake_worker::read_script();
    if (script.request) die_with(*script.request);
    mpsbench::fake_worker::play(script);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fake worker: %s\n", error.what());
    return 99;
  }
}
