#include "cli/shell/outcome.hpp"

#include "output/text/text.hpp"

#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <string>

namespace mpsbench::cli {
namespace {

using base::ExitCode;

// Whether stdout is a pipe whose reader has closed it, as in `mpsbench run ... | head -1`.
bool reader_has_gone() {
  pollfd descriptor{STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&descriptor, 1, 0) == 1 && (descriptor.revents & POLLERR) != 0;
}

// Returns CODE, or a worse one if stdout could not be written.
ExitCode after_output(ExitCode code) {
  const bool arrived = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (arrived || reader_has_gone()) return code;
  std::clearerr(stdout);  // this is said once
  return fail(base::worse(code, ExitCode::incomplete), "stdout could not be written completely");
}

}  // namespace

ExitCode fail(ExitCode code, const std::string& message) {
  std::fprintf(stderr, "mpsbench: %s\n", output::printable(message).c_str());
  return code;
}

ExitCode complete(const std::function<ExitCode()>& action) {
  try {
    return after_output(action());
  } catch (const base::Error& error) {
    return fail(base::exit_code(error.kind()), error.what());
  } catch (const std::exception& error) {
    return fail(ExitCode::incomplete, std::string("unexpected: ") + error.what());
  }
}

}  // namespace mpsbench::cli
