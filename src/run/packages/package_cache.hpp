// Compiled networks that are kept for later runs, and folders for what is needed while they are made and loaded.
#pragma once

#include "base/descriptor.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::run {

// Locks that processes share through a file, also on a file system of several hosts, which may lock no folder.
enum class Hold { shared, exclusive };

// The end of such a file's name.
inline constexpr const char* kLockEnding = ".lock";

// Locks FILE, which this makes. The lock lasts until the returned descriptor is closed. Returns no descriptor
// if another lock, also one of this process, excludes this one. Throws Error(usage) if FILE cannot be locked.
[[nodiscard]] base::Descriptor try_lock(const std::filesystem::path& file, Hold how);

// Removes the scratch folders in PARENT that ended processes have left.
void remove_abandoned(const std::filesystem::path& parent);

// A folder for files that are needed only while this process runs.
class ScratchFolder {
 public:
  // Makes a folder in PARENT that only this user can read, and removes those that are abandoned. Throws
  // Error(usage) if it cannot.
  explicit ScratchFolder(const std::filesystem::path& parent);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  base::Descriptor lock_;  // says that the folder is in use
};

struct CachedPackage {
  std::string key;
  std::filesystem::path file;
  std::string sha256;
  std::int64_t bytes = 0;
  double compile_seconds = 0;
  std::string case_id;     // the case for which it was made first
  std::string libtorch;    // the version that it needs
  std::string created_at;  // UTC
  std::string used_at;     // UTC
};

class PackageCache {
 public:
  static constexpr std::int64_t kMostBytes = std::int64_t{20} << 30U;

  // Packages are code, so FOLDER must be this user's alone: see base::require_private_folder.
  explicit PackageCache(std::filesystem::path folder);

  // While the returned lock is open, no other process makes the package of KEY (exclusive), or removes it
  // (shared). Returns no descriptor if another lock, also one of this process, excludes this one.
  [[nodiscard]] base::Descriptor try_hold(const std::string& key, Hold how) const;

  // Returns nullopt if there is none, also if what is there is damaged; that is then removed, with a warning.
  // The caller holds KEY.
  [[nodiscard]] std::optional<CachedPackage> find(const std::string& key) const;
  // Takes FILE, which must be in a folder of scratch_parent(), into the cache under PACKAGE's key, and
  // removes the packages that were used least recently until all together have at most MOST_BYTES. Packages
  // in use stay. The caller holds the key alone. Throws Error(incomplete).
  CachedPackage add(const std::filesystem::path& file, CachedPackage package,
                    std::int64_t most_bytes = kMostBytes) const;
  // Where scratch folders are made: on the disk of the packages.
  [[nodiscard]] std::filesystem::path scratch_parent() const;

  // The oldest first. Leaves out packages whose description is damaged, with a warning.
  [[nodiscard]] std::vector<CachedPackage> list() const;

  struct Size {
    std::size_t packages = 0;
    std::int64_t bytes = 0;
  };
  [[nodiscard]] Size size() const;

  struct Cleared {
    Size removed;
    std::vector<std::string> in_use;  // the cases for which packages that stay were made
  };
  // Removes all packages that are not in use, and what ended processes have left.
  [[nodiscard]] Cleared clear() const;

 private:
  struct Kept {
    std::string key;
    bool is_package = false;
    std::int64_t bytes = 0;
    std::int64_t used_at = 0;  // in seconds
  };

  [[nodiscard]] std::filesystem::path file_of(const std::string& key, const char* ending) const;
  [[nodiscard]] std::vector<Kept> all() const;
  [[nodiscard]] Kept kept(const std::string& key) const;
  [[nodiscard]] CachedPackage read_facts(const std::string& key) const;
  [[nodiscard]] std::string name_of(const std::string& key) const;
  [[nodiscard]] bool remove(const std::string& key) const;
  void evict(const std::string& newest, std::int64_t most_bytes) const;

  std::filesystem::path folder_;
};

}  // namespace mpsbench::run
