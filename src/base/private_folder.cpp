#include "base/private_folder.hpp"

#include "base/error.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>

namespace mpsbench::base {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOtherPlace = "set XDG_CACHE_HOME to a folder that is yours alone";

[[noreturn]] void fail(const fs::path& folder, const std::string& why) {
  throw usage_error(folder.string() + ": " + why + "; " + kOtherPlace);
}

[[noreturn]] void refuse(const fs::path& folder, const std::string& why, const std::string& cure = "") {
  throw usage_error(folder.string() + ": " + why + ", so another user could put code there; " + cure + kOtherPlace);
}

struct stat facts_of(const fs::path& folder) {
  struct stat facts{};
  if (::lstat(folder.c_str(), &facts) != 0) fail(folder, std::system_category().message(errno));
  return facts;
}

bool may_others_write(const struct stat& facts) {
  return (facts.st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

[[noreturn]] void refuse_writers(const fs::path& folder) {
  refuse(folder, "others may write to it", "run chmod go-w on it, or ");
}

// Checks all folders and links through which the system finds PATH, an absolute path that exists.
void require_private_way(const fs::path& path) {
  fs::path way;
  for (const fs::path& name : path) {
    way /= name;
    const struct stat facts = facts_of(way);
    const bool is_sticky = (facts.st_mode & S_ISVTX) != 0;  // others cannot rename or remove what is in it
    if (facts.st_uid != ::geteuid() && facts.st_uid != 0) refuse(way, "it belongs to another user");
    if (S_ISLNK(facts.st_mode)) {
      std::error_code failure;
      require_private_way(way.parent_path() / fs::read_symlink(way, failure));
    } else if (may_others_write(facts) && !is_sticky) {
      refuse_writers(way);
    }
  }
}

}  // namespace

std::error_code make_private_folder(const fs::path& folder) {
  std::error_code failure;
  if (fs::is_directory(folder, failure)) return {};
  if (folder.has_relative_path() && folder.has_parent_path()) {
    failure = make_private_folder(folder.parent_path());
    if (failure) return failure;
  }
  if (::mkdir(folder.c_str(), S_IRWXU) == 0 || errno == EEXIST) return {};
  return {errno, std::system_category()};
}

void require_private_folder(const fs::path& folder) {
  std::error_code failure;
  if (fs::symlink_status(folder, failure).type() == fs::file_type::none)
    fail(folder, "this folder cannot be reached: " + failure.message());
  failure = make_private_folder(folder);
  if (failure) fail(folder, "this folder cannot be made: " + failure.message());
  const struct stat own = facts_of(folder);
  if (S_ISLNK(own.st_mode)) refuse(folder, "this is a link", "remove it, or ");
  if (!S_ISDIR(own.st_mode)) fail(folder, "this is not a folder");
  if (own.st_uid != ::geteuid()) refuse(folder, "it belongs to another user");
  if (may_others_write(own)) refuse_writers(folder);
  require_private_way(fs::absolute(folder));
  if ((own.st_mode & (S_IRWXG | S_IRWXO)) != 0 && ::chmod(folder.c_str(), S_IRWXU) != 0)
    fail(folder, std::system_category().message(errno));
}

}  // namespace mpsbench::base
