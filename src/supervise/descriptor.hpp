// File descriptors that close themselves, and pipes that can be passed to a child process.
#pragma once

namespace mpsbench::supervise {

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

struct Pipe {
  Descriptor read;
  Descriptor write;
};

// Both ends are closed on exec. Their numbers are at least 10, because a child uses 0-3. Throws
// std::system_error.
[[nodiscard]] Pipe make_pipe();
void set_nonblocking(int fd);

// Converts a timeout for poll(). Rounds up, so that poll() does not return too early.
[[nodiscard]] int poll_milliseconds(double seconds);

}  // namespace mpsbench::supervise
