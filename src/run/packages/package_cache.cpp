#include "run/packages/package_cache.hpp"

#include "base/atomic_file.hpp"
#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/hex.hpp"
#include "base/json_file.hpp"
#include "base/json_reader.hpp"
#include "base/log.hpp"
#include "base/mapped_file.hpp"
#include "base/private_folder.hpp"
#include "schema/field_json.hpp"

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <system_error>
#include <utility>

template <>
inline constexpr auto mpsbench::schema::kFields<mpsbench::run::CachedPackage> =
    table(field<&run::CachedPackage::key>(), field<&run::CachedPackage::sha256>(),
          field<&run::CachedPackage::compile_seconds>(), field<&run::CachedPackage::case_id>({.key = "case"}),
          field<&run::CachedPackage::libtorch>(), field<&run::CachedPackage::created_at>());

namespace mpsbench::run {

namespace {

namespace fs = std::filesystem;

constexpr const char* kPackageEnding = ".pt2";
constexpr const char* kFactsEnding = ".json";
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

base::Error cannot_keep(const fs::path& file, const std::string& why) {
  return {base::ErrorKind::incomplete,
          "the package cannot be kept: " + file.string() + ": " + why +
              "; make room (mpsbench cache --clear), or set XDG_CACHE_HOME to a folder of another disk"};
}

// Makes the content of PATH, a file or a folder, durable.
bool sync(const fs::path& path) {
  const base::Descriptor open(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  return open.get() >= 0 && ::fsync(open.get()) == 0;
}

void move(const fs::path& from, const fs::path& to) {
  std::error_code failure;
  fs::rename(from, to, failure);
  if (failure) throw cannot_keep(to, failure.message());
}

void remove_file(const fs::path& file) {
  std::error_code failure;
  fs::remove(file, failure);
  if (failure)
    throw base::Error(base::ErrorKind::incomplete, "cannot remove " + file.string() + ": " + failure.message());
}

}  // namespace

base::Descriptor try_lock(const fs::path& file, Hold how) {
  constexpr mode_t kMode = 0600;
  const int operation = (how == Hold::shared ? LOCK_SH : LOCK_EX) | LOCK_NB;
  while (true) {
    base::Descriptor lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, kMode));
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
  std::set<fs::path> folders;
  std::error_code failure;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, failure)) {
    const bool is_lock = entry.path().extension() == kLockEnding;
    folders.insert(is_lock ? fs::path(entry.path()).replace_extension() : entry.path());
  }
  for (const fs::path& folder : folders) {
    try {
      const base::Descriptor lock = try_lock(lock_of(folder), Hold::exclusive);
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

PackageCache::PackageCache(fs::path folder) : folder_(std::move(folder)) {
  base::require_private_folder(folder_);
  base::require_private_folder(scratch_parent());
}

fs::path PackageCache::scratch_parent() const {
  return folder_ / "scratch";
}

fs::path PackageCache::file_of(const std::string& key, const char* ending) const {
  return folder_ / (key + ending);
}

base::Descriptor PackageCache::try_hold(const std::string& key, Hold how) const {
  return try_lock(file_of(key, kLockEnding), how);
}

std::optional<CachedPackage> PackageCache::find(const std::string& key) const {
  const fs::path file = file_of(key, kPackageEnding);
  const fs::path facts = file_of(key, kFactsEnding);
  std::error_code failure;
  const fs::file_status status = fs::symlink_status(file, failure);
  if (!fs::exists(status)) return std::nullopt;
  try {
    if (!fs::is_regular_file(status)) throw base::usage_error(file.string() + ": this is not a plain file");
    CachedPackage package = read_facts(key);
    if (base::sha256_hex(base::MappedFile(file).text()) == package.sha256) {
      fs::last_write_time(facts, fs::file_time_type::clock::now(), failure);  // says when it was used last
      return package;
    }
    base::log::warn(file.string() + ": this package is damaged; it is made again");
  } catch (const base::Error& error) {
    base::log::warn(std::string(error.what()) + "; the package is made again");
  }
  remove_file(file);
  remove_file(facts);
  return std::nullopt;
}

CachedPackage PackageCache::add(const fs::path& file, CachedPackage package, std::int64_t most_bytes) const {
  package.file = file_of(package.key, kPackageEnding);
  package.sha256 = base::sha256_hex(base::MappedFile(file).text());
  if (!sync(file)) throw cannot_keep(file, std::system_category().message(errno));
  // A package counts only with its facts, so these come first. Their draft is in the scratch folder, where
  // nothing stays if this process is killed.
  const fs::path facts = file.string() + kFactsEnding;
  try {
    base::write_file(facts, base::to_text(schema::to_json(package), 1) + "\n");
  } catch (const base::Error& error) {
    throw cannot_keep(folder_, error.what());
  }
  move(facts, file_of(package.key, kFactsEnding));
  move(file, package.file);
  (void)sync(folder_);  // some file systems cannot; after a power failure the package may be missing there
  try {
    evict(package.key, most_bytes);
  } catch (const base::Error& error) {
    base::log::warn(std::string(error.what()) + "; old packages stay in the cache");
  }
  return read_facts(package.key);
}

CachedPackage PackageCache::read_facts(const std::string& key) const {
  const fs::path facts = file_of(key, kFactsEnding);
  const nlohmann::json document = base::read_json_file(facts);
  const base::Reader reader(document, facts.string());
  CachedPackage package = schema::from_json<CachedPackage>(reader);
  if (package.key != key) throw base::Reader(reader).at("key").error("does not match the file's name");
  package.file = file_of(key, kPackageEnding);
  const Kept file = kept(key);
  package.bytes = file.bytes;
  package.used_at = base::utc_timestamp(file.used_at);
  return package;
}

// Returns what is kept for each key, if only a lock.
std::vector<PackageCache::Kept> PackageCache::all() const {
  std::set<std::string> keys;
  std::error_code failure;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, failure)) {
    const std::string ending = entry.path().extension().string();
    if (ending == kPackageEnding || ending == kFactsEnding || ending == kLockEnding)
      keys.insert(entry.path().stem().string());
  }
  if (failure) throw base::usage_error(folder_.string() + ": cannot be read: " + failure.message());
  std::vector<Kept> found;
  for (const std::string& key : keys) found.push_back(kept(key));
  return found;
}

// Returns the case for which the package of KEY was made, or the key if that is not known.
std::string PackageCache::name_of(const std::string& key) const {
  try {
    return read_facts(key).case_id;
  } catch (const base::Error&) {
    return key;
  }
}

PackageCache::Kept PackageCache::kept(const std::string& key) const {
  struct stat file{};
  if (::stat(file_of(key, kPackageEnding).c_str(), &file) != 0) return {key};
  struct stat facts{};
  const bool is_known = ::stat(file_of(key, kFactsEnding).c_str(), &facts) == 0;
  return {key, true, file.st_size, is_known ? facts.st_mtime : 0};
}

// Removes what is kept for KEY unless a process uses it. Returns whether it did.
bool PackageCache::remove(const std::string& key) const {
  const base::Descriptor lock = try_hold(key, Hold::exclusive);
  if (lock.get() < 0) return false;
  for (const char* ending : {kPackageEnding, kFactsEnding, kLockEnding}) remove_file(file_of(key, ending));
  return true;
}

void PackageCache::evict(const std::string& newest, std::int64_t most_bytes) const {
  std::vector<Kept> oldest_first = all();
  std::ranges::sort(oldest_first, {}, &Kept::used_at);
  std::int64_t bytes = size().bytes;
  for (const Kept& one : oldest_first) {
    if (bytes <= most_bytes) return;
    if (one.is_package && one.key != newest && remove(one.key)) bytes -= one.bytes;
  }
}

PackageCache::Size PackageCache::size() const {
  Size size;
  for (const Kept& one : all()) {
    size.packages += one.is_package ? 1 : 0;
    size.bytes += one.bytes;
  }
  return size;
}

PackageCache::Cleared PackageCache::clear() const {
  Cleared cleared;
  for (const Kept& one : all()) {
    if (!remove(one.key)) {
      if (one.is_package) cleared.in_use.push_back(name_of(one.key));
    } else if (one.is_package) {
      ++cleared.removed.packages;
      cleared.removed.bytes += one.bytes;
    }
  }
  remove_abandoned(scratch_parent());
  return cleared;
}

std::vector<CachedPackage> PackageCache::list() const {
  std::vector<CachedPackage> packages;
  for (const Kept& one : all()) {
    try {
      if (one.is_package) packages.push_back(read_facts(one.key));
    } catch (const base::Error& error) {
      base::log::warn(std::string(error.what()) + "; a run that needs this package makes it again");
    }
  }
  std::ranges::sort(packages, {}, &CachedPackage::created_at);
  return packages;
}

}  // namespace mpsbench::run
