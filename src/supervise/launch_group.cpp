#include "supervise/launch_group.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <system_error>

namespace mpsbench::supervise {

namespace {

constexpr int kLeastNumber = 10;  // a child uses lower ones

void require(bool is_good, const char* what) {
  if (!is_good) throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

// Only rank 0 compares its first step, writes it, and reports losses.
schema::LaunchRequest request_in_group(schema::LaunchRequest request, std::int64_t rank,
                                       const schema::DeviceId& device) {
  request.group.value().rank = rank;
  request.spec.device = device;
  if (rank == 0) return request;
  request.check_output = request.check_engine = request.report_losses = false;
  request.dump_first_step.reset();
  return request;
}

GroupListener listen_for_group() {
  const Descriptor low(::socket(AF_INET, SOCK_STREAM, 0));
  require(low.get() >= 0, "socket");
  GroupListener listener{.socket = Descriptor(::fcntl(low.get(), F_DUPFD_CLOEXEC, kLeastNumber))};
  require(listener.socket.get() >= 0, "fcntl");
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_addr.s_addr = ::inet_addr(kGroupAddress);
  socklen_t size = sizeof(place);
  require(::bind(listener.socket.get(), reinterpret_cast<const sockaddr*>(&place), size) == 0, "bind");
  require(::listen(listener.socket.get(), SOMAXCONN) == 0, "listen");
  require(::getsockname(listener.socket.get(), reinterpret_cast<sockaddr*>(&place), &size) == 0, "getsockname");
  listener.port = ntohs(place.sin_port);
  return listener;
}

}  // namespace mpsbench::supervise
