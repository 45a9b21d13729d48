#include "base/mapped_file.hpp"

#include "base/error.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace mpsbench::base {
namespace {

std::string reason_of(int code) {
  return code == ENOENT ? "no such file" : "cannot be read: " + std::generic_category().message(code);
}

}  // namespace

bool is_lfs_pointer(std::string_view start) {
  return start.starts_with("version https://git-lfs.github.com/spec/");
}

MappedFile::MappedFile(const std::filesystem::path& path) {
  // Without O_NONBLOCK, opening a pipe would block until something opens it for writing.
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) throw usage_error(path.string() + ": " + reason_of(errno));
  struct stat status{};
  std::string problem;
  if (::fstat(file, &status) != 0) {
    problem = reason_of(errno);
  } else if (S_ISDIR(status.st_mode)) {
    problem = "is a folder, not a file";
  } else if (!S_ISREG(status.st_mode)) {
    problem = "is not a regular file";
  } else if (status.st_size > 0) {
    length_ = static_cast<std::size_t>(status.st_size);
    address_ = ::mmap(nullptr, length_, PROT_READ, MAP_PRIVATE, file, 0);
    if (address_ == MAP_FAILED) problem = "cannot be mapped: " + std::generic_category().message(errno);
  }
  ::close(file);
  if (!problem.empty()) throw usage_error(path.string() + ": " + problem);
}

MappedFile::~MappedFile() {
  if (address_ != nullptr) ::munmap(address_, length_);
}

void MappedFile::drop_before(std::size_t offset) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t end = offset / page * page;
  if (end <= dropped_) return;
  ::madvise(static_cast<char*>(address_) + dropped_, end - dropped_, MADV_DONTNEED);
  dropped_ = end;
}

}  // namespace mpsbench::base
