#include "base/atomic_file.hpp"

#include "base/error.hpp"
#include "base/hex.hpp"
#include "base/place.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <optional>
#include <system_error>
#include <utility>

namespace mpsbench::base {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kNewMode = 0666;  // less the umask

std::string reason(int error) {
  return std::generic_category().message(error);
}

Error write_failure(const fs::path& path, const std::string& why) {
  return {ErrorKind::incomplete, "cannot write " + path.string() + ": " + why};
}

Error place_failure(const fs::path& path, const std::string& why, const std::string& option) {
  return usage_error("cannot write " + path.string() + ": " + why + "; choose another place with " + option);
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// Makes a new or renamed name durable. Some file systems cannot do this; that is not an error.
void sync_folder(const fs::path& path) {
  const Descriptor folder(::open(folder_of(path).c_str(), O_RDONLY | O_CLOEXEC));
  if (folder.get() >= 0) ::fsync(folder.get());
}

std::optional<struct stat> facts_behind(const fs::path& path) {
  struct stat facts{};
  return ::stat(path.c_str(), &facts) == 0 ? std::optional(facts) : std::nullopt;
}

// Gives the file FD the mode and the owner of MODEL. Returns false if this user cannot give it the owner. Do
// this before anything is written to it, since MODEL may be private.
bool take_after(int fd, const struct stat& model) {
  constexpr mode_t kBits = 07777;
  struct stat own{};
  if (::fchmod(fd, model.st_mode & kBits) != 0 || ::fstat(fd, &own) != 0) return false;
  return (own.st_uid == model.st_uid && own.st_gid == model.st_gid) || ::fchown(fd, model.st_uid, model.st_gid) == 0;
}

// A new file in the folder of another one, with a name of its own until it takes the place of that one.
// Whatever is left when it is destroyed is removed.
class Draft {
 public:
  explicit Draft(const fs::path& file)
      : path_(folder_of(file) / (".mpsbench-" + random_hex(kNameLength) + ".tmp")),
        file_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, kNewMode)) {}
  ~Draft() {
    if (file_.get() >= 0) ::unlink(path_.c_str());
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  [[nodiscard]] int fd() const { return file_.get(); }  // -1: it could not be made; errno says why
  [[nodiscard]] bool is_written(std::string_view text) const { return write_all(fd(), text) && ::fsync(fd()) == 0; }
  // Both return the open file, or -1 with the reason in errno. The first removes what was at PATH; the second
  // fails if there is anything.
  [[nodiscard]] Descriptor replace(const fs::path& path) {
    return ::rename(path_.c_str(), path.c_str()) == 0 ? release() : Descriptor();
  }
  [[nodiscard]] Descriptor become(const fs::path& path) {
    if (::link(path_.c_str(), path.c_str()) == 0) {
      ::unlink(path_.c_str());
      return release();
    }
    struct stat entry{};
    // Some file systems have no hard links.
    if (errno == EEXIST || ::lstat(path.c_str(), &entry) == 0) {
      errno = EEXIST;
      return {};
    }
    return replace(path);
  }

 private:
  static constexpr std::size_t kNameLength = 12;

  Descriptor release() { return std::exchange(file_, Descriptor()); }

  fs::path path_;
  Descriptor file_;
};

// Throws Error(incomplete).
void overwrite(const Descriptor& file, const fs::path& name, std::string_view text) {
  // The old text goes last: if the new one is shorter, no full disk can stop this.
  if (!write_all(file.get(), text) || ::ftruncate(file.get(), static_cast<off_t>(text.size())) != 0 ||
      ::fsync(file.get()) != 0)
    throw write_failure(name, reason(errno));
}

// NAME is for messages.
void write_regular(const fs::path& file, const fs::path& name, std::string_view text, const fs::path& like) {
  const std::optional<struct stat> before = facts_behind(file);
  Descriptor old;
  if (before) {
    old = Descriptor(::open(file.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    if (old.get() < 0) throw write_failure(name, reason(errno));
  }
  {
    Draft draft(file);
    const bool is_folder_closed = draft.fd() < 0 && (errno == EACCES || errno == EPERM || errno == EROFS);
    if (draft.fd() < 0 && (!before || !is_folder_closed)) throw write_failure(name, reason(errno));
    if (draft.fd() >= 0) {
      const std::optional<struct stat> model = before ? before : facts_behind(like);
      const bool is_alike = !model || take_after(draft.fd(), *model);
      // Also where the old file is overwritten: this proves that there is room for the new text.
      if (!draft.is_written(text)) throw write_failure(name, reason(errno));
      if (!before || (is_alike && before->st_nlink == 1)) {
        if (draft.replace(file).get() >= 0) return sync_folder(file);
        if (!before) throw write_failure(name, reason(errno));
      }
    }
  }
  overwrite(old, name, text);
}

// Returns false if another has a lock. Some file systems have no locks; that is not an error.
bool take_lock(int fd) {
  return ::flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

std::string busy(const fs::path& path) {
  return path.string() + ": another mpsbench is writing this file";
}

}  // namespace

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) {  // a stream that its other users do not let block
      pollfd full{fd, POLLOUT, 0};
      ::poll(&full, 1, -1);
      continue;
    }
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

Descriptor open_stream(const fs::path& path) {
  const Place place = place_of(path);
  if (place.kind != Place::Kind::descriptor)
    return Descriptor(::open(place.path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
  std::fflush(place.descriptor == STDOUT_FILENO ? stdout : stderr);  // what was printed before comes first
  return Descriptor(::fcntl(place.descriptor, F_DUPFD_CLOEXEC, 0));
}

void write_file(const fs::path& path, std::string_view text, const fs::path& like) {
  const Place place = place_of(path);
  if (!place.obstacle.empty()) throw write_failure(path, place.obstacle);
  if (place.kind == Place::Kind::file) return write_regular(place.path, path, text, like);
  const Descriptor stream = open_stream(path);
  if (stream.get() < 0 || !write_all(stream.get(), text)) throw write_failure(path, reason(errno));
}

DurableLog::DurableLog(fs::path path, Descriptor file) : path_(std::move(path)), file_(std::move(file)) {
  sync_folder(path_);
}

DurableLog DurableLog::create(const fs::path& path, std::string_view text, const fs::path& like) {
  Draft draft(path);
  if (draft.fd() >= 0) {
    if (const auto model = facts_behind(like)) (void)take_after(draft.fd(), *model);
    (void)take_lock(draft.fd());  // nobody knows it yet
    if (draft.is_written(text)) {
      Descriptor file = draft.become(path);
      if (file.get() >= 0) return {path, std::move(file)};
    }
  }
  throw place_failure(path, reason(errno), "--export-json");
}

DurableLog DurableLog::open(const fs::path& path) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  if (file.get() < 0) throw place_failure(path, reason(errno), "--export-json");
  // The lock ends with this process, however it ends.
  if (!take_lock(file.get()) || !is_name_of(path, file.get())) throw usage_error(busy(path) + "; wait until it ends");
  return {path, std::move(file)};
}

bool DurableLog::is_open_elsewhere(const fs::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  return file.get() >= 0 && ::flock(file.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

void DurableLog::append_line(std::string_view line) {
  add_line(line);
  if (::fsync(file_.get()) != 0) throw write_failure(path_, reason(errno));
}

void DurableLog::add_line(std::string_view line) {
  // Writing to a deleted file would succeed, and the line would be lost.
  if (!is_name_of(path_, file_.get())) throw write_failure(path_, "the file no longer exists");
  std::string text(line);
  text += '\n';
  if (!write_all(file_.get(), text)) throw write_failure(path_, reason(errno));
}

void DurableLog::replace(std::string_view text) {
  const bool is_mine = is_name_of(path_, file_.get());
  if (!is_mine && is_open_elsewhere(path_)) throw Error(ErrorKind::incomplete, busy(path_));
  Draft draft(path_);
  Descriptor file;
  if (draft.fd() >= 0) {
    struct stat model{};
    if (::fstat(file_.get(), &model) == 0) (void)take_after(draft.fd(), model);
    (void)take_lock(draft.fd());
    if (draft.is_written(text)) file = draft.replace(path_);
  }
  if (file.get() < 0) throw write_failure(path_, reason(errno));
  file_ = std::move(file);
  sync_folder(path_);
}

void DurableLog::remove() {
  if (is_name_of(path_, file_.get())) ::unlink(path_.c_str());
  file_.close();
}

void require_writable_place(const fs::path& path, const std::string& option) {
  const Place place = place_of(path);
  std::string why = place.obstacle;
  if (why.empty() && place.kind == Place::Kind::stream) {
    if (::access(place.path.c_str(), W_OK) != 0) why = reason(errno);  // opening a FIFO would wait for its reader
  } else if (why.empty() && place.kind == Place::Kind::file) {
    std::error_code error;
    if (fs::exists(place.path, error)) {
      const Descriptor file(::open(place.path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
      if (file.get() < 0) why = reason(errno);
    } else {
      fs::create_directories(folder_of(place.path), error);
      const Draft probe(place.path);
      if (probe.fd() < 0) why = error ? error.message() : reason(errno);
    }
  }
  if (!why.empty()) throw place_failure(path, why, option);
}

}  // namespace mpsbench::base
