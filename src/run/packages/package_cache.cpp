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
#include "run/packages/scratch_folder.hpp"

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace mpsbench::run {

namespace {

namespace fs = std::filesystem;

constexpr const char* kPackageEnding = ".pt2";
constexpr const char* kFactsEnding = ".json";

nlohmann::ordered_json to_json(const CachedPackage& package) {
  return {{"key", package.key},      {"sha256", package.sha256},     {"compile_seconds", package.compile_seconds},
          {"case", package.case_id}, {"libtorch", package.libtorch}, {"created_at", package.created_at}};
}

base::Error cannot_keep(const fs::path& file, const std::string& why) {
  return {base::ErrorKind::incomplete,
          "the package cannot be kept: " + file.string() + ": " + why +
              "; make room (mpsbench cache --clear), or set XDG_CACHE_HOME to a folder of another disk"};
}

// Makes the content of PATH, a file or a folder, durable.
bool sync(const fs::path& path) {
  const supervise::Descriptor open(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
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

supervise::Descriptor PackageCache::try_hold(const std::string& key, Hold how) const {
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
    base::write_file(facts, base::to_text(to_json(package), 1) + "\n");
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
  base::Reader reader(document, facts.string());
  CachedPackage package;
  package.key = reader.at("key").string();
  if (package.key != key) throw reader.at("key").error("does not match the file's name");
  package.sha256 = reader.at("sha256").string();
  package.compile_seconds = reader.at("compile_seconds").number();
  package.case_id = reader.at("case").string();
  package.libtorch = reader.at("libtorch").string();
  package.created_at = reader.at("created_at").string();
  reader.done();
  package.file = file_of(key, kPackageEnding);
  const Kept file = kept(key).value_or(Kept{});
  package.bytes = file.bytes;
  package.used_at = base::utc_timestamp(file.used_at);
  return package;
}

// Returns all keys that something is kept for, if only a lock.
std::set<std::string> PackageCache::keys() const {
  std::set<std::string> found;
  std::error_code failure;
  fs::directory_iterator one(folder_, failure);
  for (; !failure && one != fs::directory_iterator(); one.increment(failure)) {
    const std::string ending = one->path().extension().string();
    if (ending == kPackageEnding || ending == kFactsEnding || ending == kLockEnding)
      found.insert(one->path().stem().string());
  }
  if (failure) throw base::usage_error(folder_.string() + ": cannot be read: " + failure.message());
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

// Returns nullopt if there is no package of KEY.
std::optional<PackageCache::Kept> PackageCache::kept(const std::string& key) const {
  struct stat file{};
  if (::stat(file_of(key, kPackageEnding).c_str(), &file) != 0) return std::nullopt;
  struct stat facts{};
  const bool is_known = ::stat(file_of(key, kFactsEnding).c_str(), &facts) == 0;
  return Kept{key, file.st_size, is_known ? facts.st_mtime : 0};
}

// Removes what is kept for KEY unless a process uses it. Returns whether it did.
bool PackageCache::remove(const std::string& key) const {
  const supervise::Descriptor lock = try_hold(key, Hold::exclusive);
  if (lock.get() < 0) return false;
  for (const char* ending : {kPackageEnding, kFactsEnding, kLockEnding}) remove_file(file_of(key, ending));
  return true;
}

void PackageCache::evict(const std::string& newest, std::int64_t most_bytes) const {
  std::vector<Kept> all;
  std::int64_t bytes = 0;
  for (const std::string& key : keys()) {
    const std::optional<Kept> one = kept(key);
    if (!one) continue;
    bytes += one->bytes;
    all.push_back(*one);
  }
  std::ranges::sort(all, {}, &Kept::used_at);
  for (const Kept& one : all) {
    if (bytes <= most_bytes) return;
    if (one.key != newest && remove(one.key)) bytes -= one.bytes;
  }
}

PackageCache::Size PackageCache::size() const {
  Size size;
  for (const std::string& key : keys()) {
    const std::optional<Kept> one = kept(key);
    if (!one) continue;
    ++size.packages;
    size.bytes += one->bytes;
  }
  return size;
}

PackageCache::Cleared PackageCache::clear() const {
  Cleared cleared;
  for (const std::string& key : keys()) {
    const std::optional<Kept> one = kept(key);
    if (!remove(key)) {
      if (one) cleared.in_use.push_back(name_of(key));
    } else if (one) {
      ++cleared.removed.packages;
      cleared.removed.bytes += one->bytes;
    }
  }
  remove_abandoned(scratch_parent());
  return cleared;
}

std::vector<CachedPackage> PackageCache::list() const {
  std::vector<CachedPackage> all;
  for (const std::string& key : keys()) {
    if (!kept(key)) continue;
    try {
      all.push_back(read_facts(key));
    } catch (const base::Error& error) {
      base::log::warn(std::string(error.what()) + "; a run that needs this package makes it again");
    }
  }
  std::ranges::sort(all, {}, &CachedPackage::created_at);
  return all;
}

}  // namespace mpsbench::run
