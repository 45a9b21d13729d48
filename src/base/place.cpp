#include "base/place.hpp"

#include "base/units.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>
#include <regex>
#include <system_error>

namespace mpsbench::base {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // as Linux

// Returns PATH with the links of its folder followed, as far as that exists.
fs::path in_real_folder(const fs::path& path) {
  std::error_code error;
  const fs::path whole = fs::absolute(path, error);
  const fs::path folder = fs::weakly_canonical(whole.parent_path(), error);
  return error ? whole.lexically_normal() : folder / whole.filename();
}

// Returns the descriptor that PATH, whose folder is real, is another name of. The names are known also where
// /proc and /dev are not there.
std::optional<int> descriptor_named(const fs::path& path) {
  constexpr std::array kStandard{"/dev/stdin", "/dev/stdout", "/dev/stderr"};
  for (std::size_t fd = 0; fd < kStandard.size(); ++fd) {
    if (path == kStandard.at(fd)) return static_cast<int>(fd);
  }
  static const std::regex kFolder("/dev/fd|/proc/(self|thread-self|" + std::to_string(::getpid()) +
                                  ")(/task/[0-9]+)?/fd");
  if (!std::regex_match(path.parent_path().string(), kFolder)) return std::nullopt;
  const auto number = parse_whole_number(path.filename().string());
  constexpr int kMost = 1 << 20;
  if (!number || *number < 0 || *number > kMost) return std::nullopt;
  return static_cast<int>(*number);
}

// Files that this program has opened are closed on exec; those that it was started with are not.
Place descriptor_place(const fs::path& path, int fd) {
  Place place{Place::Kind::descriptor, path, fd, ""};
  const int flags = ::fcntl(fd, F_GETFD);
  const std::string name = "descriptor " + std::to_string(fd);
  if (flags < 0 || (flags & FD_CLOEXEC) != 0) {
    place.obstacle = name + " is not open";
  } else if ((::fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY) {
    place.obstacle = name + " is open only for reading";
  }
  return place;
}

// Sets kind and obstacle for what is there already.
void describe(Place& place, mode_t mode) {
  if (S_ISFIFO(mode) || S_ISCHR(mode)) {
    place.kind = Place::Kind::stream;
  } else if (S_ISDIR(mode)) {
    place.obstacle = "this is a folder";
  } else if (!S_ISREG(mode)) {
    place.obstacle = S_ISBLK(mode) ? "this is a disk" : "this is not a regular file";
  }
}

}  // namespace

Place place_of(const fs::path& path) {
  if (path == "-") return descriptor_place(path, STDOUT_FILENO);
  Place place;
  place.path = path;
  if (!path.has_filename()) {
    place.obstacle = path.empty() ? "its name is missing" : "this is a folder";
    return place;
  }
  for (int links = 0; links <= kMostLinks; ++links) {
    place.path = in_real_folder(place.path);
    if (const auto fd = descriptor_named(place.path)) return descriptor_place(path, *fd);
    struct stat entry{};
    if (::lstat(place.path.c_str(), &entry) != 0) {
      if (errno != ENOENT) place.obstacle = std::generic_category().message(errno);
      return place;
    }
    // A link in /proc to what another process has open, such as a pipe, may lead to no path.
    const bool is_open_elsewhere =
        place.path.string().starts_with("/proc/") && S_ISLNK(entry.st_mode) && ::stat(place.path.c_str(), &entry) == 0;
    if (is_open_elsewhere || !S_ISLNK(entry.st_mode)) {
      describe(place, entry.st_mode);
      return place;
    }
    std::error_code error;
    place.path = place.path.parent_path() / fs::read_symlink(place.path, error);
  }
  place.obstacle = std::generic_category().message(ELOOP);
  return place;
}

bool is_stdout(const fs::path& path) {
  return place_of(path).descriptor == STDOUT_FILENO;
}

fs::path behind_links(const fs::path& path) {
  std::error_code error;
  return fs::is_symlink(path, error) ? place_of(path).path : path;
}

bool is_same_place(const fs::path& one, const fs::path& other) {
  std::error_code error;
  if (fs::equivalent(one, other, error)) return true;
  return place_of(one).path == place_of(other).path;
}

}  // namespace mpsbench::base
