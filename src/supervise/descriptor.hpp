// File descriptors that close themselves, and pipes fit for handing to a child.
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

  [[nodiscard]] int get() const { return fd_; }  // -1: closed; poll() passes over it
  void close();

 private:
  int fd_ = -1;
};

struct Pipe {
  Descriptor read;
  Descriptor write;
};

// Both ends closed on exec and numbered from 10, clear of what a child gets as 0-3. Throws std::system_error.
[[nodiscard]] Pipe make_pipe();
void set_nonblocking(int fd);

// For poll(): rounded up, so that the moment has come when it returns.
[[nodiscard]] int poll_milliseconds(double seconds);

}  // namespace mpsbench::supervise
