// A folder for files that are needed only while this process runs.
#pragma once

#include "supervise/descriptor.hpp"

#include <filesystem>

namespace mpsbench::run {

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
