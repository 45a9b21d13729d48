#include "worker/channel.hpp"

#include "base/error.hpp"

#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace mpsbench::worker {

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
