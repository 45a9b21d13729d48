// File descriptors: one that closes itself, and what every program does first with 0 to 2.
#pragma once

#include <filesystem>

namespace mpsbench::base {

// A file descriptor that closes itself.
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

// Opens descriptors 0 to 2 on /dev/null where they are closed. Otherwise a file of ours, such as the journal,
// would get such a number, and what is meant for stdout or stderr. Makes writing beyond `ulimit -f` an error,
// like a full disk, instead of a signal that ends the process.
void start_process();

}  // namespace mpsbench::base
