#include "base/atomic_file.hpp"

#include "base/error.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace mpsbench::base {
namespace {

std::string reason(int error) {
  return std::generic_category().message(error);
}

Error write_failure(const std::filesystem::path& path, int error) {
  return {ErrorKind::incomplete, "cannot write " + path.string() + ": " + reason(error)};
}

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

// Makes a new or renamed name durable. Some file systems cannot do this; that is not an error.
void sync_folder(const std::filesystem::path& path) {
  const int fd = ::open(folder_of(path).c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

}  // namespace

void write_file_atomically(const std::filesystem::path& path, std::string_view text) {
  const std::filesystem::path draft = path.string() + ".tmp" + std::to_string(::getpid());
  const int fd = ::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) throw write_failure(path, errno);
  const bool written = write_all(fd, text) && ::fsync(fd) == 0;
  const int error = errno;
  ::close(fd);
  if (!written || ::rename(draft.c_str(), path.c_str()) != 0) {
    const int failure = written ? errno : error;
    ::unlink(draft.c_str());
    throw write_failure(path, failure);
  }
  sync_folder(path);
}

DurableLog::DurableLog(const std::filesystem::path& path, Open mode) : path_(path) {
  const int flags = O_WRONLY | O_APPEND | O_CLOEXEC | (mode == Open::create_new ? O_CREAT | O_EXCL : 0);
  fd_ = ::open(path.c_str(), flags, 0644);
  if (fd_ < 0) {
    throw usage_error("cannot write " + path.string() + ": " + reason(errno) +
                      "; choose another place with --export-json");
  }
  // The lock ends with this process, however it ends. Some file systems have no locks; that is not an error.
  if (::flock(fd_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(fd_);
    throw usage_error(path.string() + ": another mpsbench is writing this file; wait until it ends");
  }
  sync_folder(path);
}

DurableLog::~DurableLog() {
  ::close(fd_);
}

void DurableLog::append_line(std::string_view line) {
  std::string text(line);
  text += '\n';
  if (!write_all(fd_, text) || ::fsync(fd_) != 0) throw write_failure(path_, errno);
}

void require_writable_place(const std::filesystem::path& path, const std::string& option) {
  std::error_code error;
  std::filesystem::create_directories(folder_of(path), error);
  const std::filesystem::path probe = path.string() + ".probe" + std::to_string(::getpid());
  const int fd = error ? -1 : ::open(probe.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0) {
    const std::string why = error ? error.message() : reason(errno);
    throw usage_error("cannot write " + path.string() + ": " + why + "; choose another place with " + option);
  }
  ::close(fd);
  ::unlink(probe.c_str());
}

}  // namespace mpsbench::base
