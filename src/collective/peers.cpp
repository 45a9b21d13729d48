#include "collective/peers.hpp"

#include "base/error.hpp"

#include <boost/asio/basic_datagram_socket.hpp>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/udp.hpp>

namespace mpsbench::collective {

namespace {

using boost::asio::ip::tcp;
using boost::asio::ip::udp;
using boost::system::error_code;
using Executor = boost::asio::io_context::executor_type;

// Prefers IPv4, as LibTorch's stores do. Throws Error(usage).
boost::asio::ip::address address_of(boost::asio::io_context& context, const std::string& host) {
  error_code failure;
  boost::asio::ip::basic_resolver<udp, Executor> resolver(context);
  const auto found = resolver.resolve(host, "", failure);
  if (failure || found.empty())
    throw base::usage_error("the host '" + host + "' is unknown: " + failure.message() + "; set MASTER_ADDR");
  for (const auto& one : found) {
    if (one.endpoint().address().is_v4()) return one.endpoint().address();
  }
  return found.begin()->endpoint().address();
}

}  // namespace

std::string own_address(const std::string& host, std::int64_t port) {
  boost::asio::io_context context;
  const udp::endpoint place(address_of(context, host), static_cast<std::uint16_t>(port));
  boost::asio::basic_datagram_socket<udp, Executor> socket(context);
  error_code failure;
  failure = socket.connect(place, failure);
  if (failure)
    throw base::usage_error("there is no way to " + host + " from here: " + failure.message() + "; set MASTER_ADDR");
  return socket.local_endpoint().address().to_string();
}

int listen_at(const std::string& host, std::int64_t port) {
  boost::asio::io_context context;
  const tcp::endpoint place(address_of(context, host), static_cast<std::uint16_t>(port));
  boost::asio::basic_socket_acceptor<tcp, Executor> acceptor(context);
  error_code failure;
  acceptor.open(place.protocol());
  acceptor.set_option(tcp::acceptor::reuse_address(true));
  failure = acceptor.bind(place, failure);
  if (!failure) failure = acceptor.listen(boost::asio::socket_base::max_listen_connections, failure);
  if (failure == boost::asio::error::address_in_use)
    throw base::usage_error("port " + std::to_string(port) +
                            " of this machine is taken by another program; set MASTER_PORT to a free one");
  if (failure)
    throw base::usage_error("rank 0 cannot listen on " + host + ":" + std::to_string(port) + ": " + failure.message() +
                            "; set MASTER_ADDR to an address of rank 0's machine");
  return acceptor.release();
}

}  // namespace mpsbench::collective
