#include "run/packages/scratch_folder.hpp"

#include "base/error.hpp"
#include "base/hex.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <set>
#include <string>
#include <system_error>

namespace mpsbench::run {

namespace {

constexpr std::size_t kNameLength = 12;

// A process locks this file before it makes FOLDER, and removes it after FOLDER.
fs::path lock_of(const fs::path& folder) {
  return folder.string() + kLockEnding;
}

// What cannot be removed now stays.
void remove_with_lock(const fs::path& folder) {
  std::error_code failure;
  fs::remove_all(folder, failure);
  if (!failure) fs::remove(lock_of(folder), failure);
}

std::set<fs::path> folders_of(const fs::path& parent) {
  std::set<fs::path> folders;
  std::error_code failure;
  fs::directory_iterator entry(parent, failure);
  for (; !failure && entry != fs::directory_iterator(); entry.increment(failure)) {
    fs::path folder = entry->path();
    if (folder.extension() == kLockEnding) folder.replace_extension();
    folders.insert(folder);
  }
  return folders;
}

}  // namespace

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

void remove_abandoned(const fs::path& parent) {
  for (const fs::path& folder : folders_of(parent)) {
    try {
      const supervise::Descriptor lock = try_lock(lock_of(folder), Hold::exclusive);
      if (lock.get() >= 0) remove_with_lock(folder);
    } catch (const base::Error&) {
      continue;  // it stays
    }
  }
}

ScratchFolder::ScratchFolder(const fs::path& parent) {
  remove_abandoned(parent);
  while (lock_.get() < 0) {  // remove_abandoned() of another process may lock it first
    path_ = parent / base::random_hex(kNameLength);
    try {
      lock_ = try_lock(lock_of(path_), Hold::exclusive);
    } catch (const base::Error&) {
      std::error_code failure;
      fs::remove(lock_of(path_), failure);  // it may have been made on a file system that locks no files
      throw;
    }
  }
  if (::mkdir(path_.c_str(), S_IRWXU) != 0) {
    const std::string why = std::system_category().message(errno);
    remove_with_lock(path_);
    throw base::usage_error(path_.string() + ": cannot be made: " + why +
                            "; set XDG_CACHE_HOME to a folder in which this user can write");
  }
}

ScratchFolder::~ScratchFolder() {
  remove_with_lock(path_);
}

}  // namespace mpsbench::run
