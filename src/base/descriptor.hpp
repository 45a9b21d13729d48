// A file descriptor that closes itself.
#pragma once

#include <filesystem>

namespace mpsbench::base {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&& other) noexcept;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  [[nodiscard]] int get() const { return fd_; }  // -1 if closed; poll() ignores that
  void close();

 private:
  int fd_ = -1;
};

// Whether PATH is still a name of the open file FD. Another process may have removed or replaced it.
[[nodiscard]] bool is_name_of(const std::filesystem::path& path, int fd);

}  // namespace mpsbench::base
