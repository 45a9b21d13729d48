// A folder for files that are needed only while this process runs.
#pragma once

#include "supervise/descriptor.hpp"

#include <filesystem>

namespace mpsbench::run {

// Locks that processes share through a file, also on a file system of several hosts, which may lock no
// folder.
enum class Hold { shared, exclusive };

// The end of such a file's name.
inline constexpr const char* kLockEnding = ".lock";

// Locks FILE, which this makes. The lock lasts until the returned descriptor is closed. Returns no descriptor
// if another lock, also one of this process, excludes this one. Throws Error(usage) if FILE cannot be locked.
[[nodiscard]] supervise::Descriptor try_lock(const std::filesystem::path& file, Hold how);

// Removes the scratch folders in PARENT that ended processes have left.
void remove_abandoned(const std::filesystem::path& parent);

class ScratchFolder {
 public:
  // Makes a folder in PARENT that only this user can read, and removes those that are abandoned. Throws
  // Error(usage) if it cannot.
  explicit ScratchFolder(const std::filesystem::path& parent);
  // Removes the folder.
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  supervise::Descriptor lock_;  // says that the folder is in use
};

}  // namespace mpsbench::run
