#include "run/lock_file.hpp"

#include "base/error.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <system_error>

namespace mpsbench::run {
namespace {

namespace fs = std::filesystem;

// Whether FILE is still the name of the open file. Another process may have removed it.
bool is_name_of(const fs::path& file, int fd) {
  struct stat named{};
  struct stat open{};
  return ::lstat(file.c_str(), &named) == 0 && ::fstat(fd, &open) == 0 && open.st_nlink > 0 &&
         named.st_dev == open.st_dev && named.st_ino == open.st_ino;
}

}  // namespace

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
    if (is_name_of(file, lock.get())) return lock;
  }
}

}  // namespace mpsbench::run
