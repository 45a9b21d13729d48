#include "dataset/shared_bytes.hpp"

#include "base/error.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace mpsbench::dataset {
namespace {

base::Error refusal(const std::filesystem::path& path, const std::string& problem) {
  return base::usage_error(path.string() + ": " + problem);
}

std::string reason_of(int code) {
  return std::generic_category().message(code);
}

}  // namespace

SharedBytes share(std::vector<std::uint8_t> bytes) {
  const auto owner = std::make_shared<const std::vector<std::uint8_t>>(std::move(bytes));
  return {owner, *owner};
}

SharedBytes map_file(const std::filesystem::path& path) {
  // Without O_NONBLOCK, opening a pipe would wait for its writer.
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) throw refusal(path, "cannot be read: " + reason_of(errno));
  struct stat status{};
  void* address = MAP_FAILED;
  std::string problem;
  std::size_t length = 0;
  if (::fstat(file, &status) != 0) {
    problem = "cannot be read: " + reason_of(errno);
  } else if (S_ISDIR(status.st_mode)) {
    problem = "is a folder, not a file";
  } else if (!S_ISREG(status.st_mode)) {
    problem = "is not a regular file";
  } else if (status.st_size == 0) {
    problem = "is empty; fetch or make it anew (scripts/fetch_data, scripts/make_fixture.py)";
  } else {
    length = static_cast<std::size_t>(status.st_size);
    address = ::mmap(nullptr, length, PROT_READ, MAP_PRIVATE, file, 0);
    if (address == MAP_FAILED) problem = "cannot be mapped: " + reason_of(errno);
  }
  ::close(file);
  if (!problem.empty()) throw refusal(path, problem);
  const std::shared_ptr<const void> owner(
      address, [length](const void* mapped) { ::munmap(const_cast<void*>(mapped), length); });
  return {owner, {static_cast<const std::uint8_t*>(address), length}};
}

}  // namespace mpsbench::dataset
