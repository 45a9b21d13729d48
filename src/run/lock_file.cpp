#include "run/lock_file.hpp"

#include "base/error.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <system_error>

namespace mpsbench::run {

namespace fs = std::filesystem;

supervise::Descriptor try_lock(const fs::path& file, Hold how) {
  constexpr mode_t kMode = 0600;
  const int operation = (how == Hold::shared ? LOCK_SH : LOCK_EX) | LOCK_NB;
  while (true) {
    supervise::Descriptor lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, kMode));
    if (lock.get() < 0 || ::flock(lock.get(), operation) != 0) {
      if (errno == EWOULDBLOCK) return {};
      if (errno == ESTALE) continue;  // another host removed it
      throw base::usage_error(file.string() + ": cannot be locked: " + std::system_category().message(errno) +
                              "; set XDG_CACHE_HOME to a folder in which this user can write and lock files");
    }
    if (base::is_name_of(file, lock.get())) return lock;
  }
}

}  // namespace mpsbench::run
