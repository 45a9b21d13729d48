#include "run/scratch_folder.hpp"

#include "base/error.hpp"
#include "base/random_hex.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <system_error>

namespace mpsbench::run {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kNameLength = 12;

// Returns no descriptor if another process has the lock of FOLDER.
supervise::Descriptor locked_folder(const fs::path& folder) {
  supervise::Descriptor open(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  if (open.get() >= 0 && ::flock(open.get(), LOCK_EX | LOCK_NB) == 0) return open;
  return {};
}

}  // namespace

void remove_abandoned(const fs::path& parent) {
  std::error_code failure;
  fs::directory_iterator entry(parent, failure);
  for (; !failure && entry != fs::directory_iterator(); entry.increment(failure)) {
    const supervise::Descriptor lock = locked_folder(entry->path());
    std::error_code ignored;  // what cannot be removed now stays
    if (lock.get() >= 0) fs::remove_all(entry->path(), ignored);
  }
}

ScratchFolder::ScratchFolder(const fs::path& parent) {
  remove_abandoned(parent);
  std::error_code failure;
  // Another process may remove the folder before it is locked.
  constexpr int kMostTries = 100;
  for (int tries = 0; lock_.get() < 0 || !fs::exists(path_, failure); ++tries) {
    if (tries == kMostTries)
      throw base::usage_error(path_.string() +
                              ": cannot be locked; set XDG_CACHE_HOME to a folder on a local disk");
    path_ = parent / base::random_hex(kNameLength);
    if (::mkdir(path_.c_str(), S_IRWXU) != 0)
      throw base::usage_error(path_.string() + ": cannot be made: " + std::system_category().message(errno) +
                              "; set XDG_CACHE_HOME to a folder in which this user can write");
    lock_ = locked_folder(path_);
  }
}

ScratchFolder::~ScratchFolder() {
  std::error_code failure;
  fs::remove_all(path_, failure);
}

}  // namespace mpsbench::run
