#include "collective/ring.hpp"

#include "base/error.hpp"
#include "base/hex.hpp"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

namespace mpsbench::collective {
namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;

// Boost 1.74's usual executor, which hides its type, does not compile with new versions of clang.
using Executor = boost::asio::io_context::executor_type;
using Socket = boost::asio::basic_stream_socket<tcp, Executor>;
using Acceptor = boost::asio::basic_socket_acceptor<tcp, Executor>;

std::string place_key(int rank) {
  return "place/" + std::to_string(rank);
}

// TEXT is "PORT ADDRESS".
tcp::endpoint endpoint_of(const std::string& text) {
  const std::size_t port_end = text.find(' ');
  return {boost::asio::ip::make_address(text.substr(port_end + 1)),
          static_cast<std::uint16_t>(std::stoi(text.substr(0, port_end)))};
}

// Every message begins with the number of its bytes. A message without bytes is a beat.
using Length = std::uint64_t;

class TcpRing final : public Ring {
 public:
  TcpRing(c10d::Store& store, int rank, int ranks, const Patience& patience, const std::string& host)
      : patience_(patience),
        rank_(rank),
        next_rank_((rank + 1) % ranks),
        previous_rank_((rank + ranks - 1) % ranks),
        own_pause_(patience.silence / 2) {
    // Who knows the secret is a member of the group.
    if (rank == 0) store.set("secret", as_bytes(base::random_hex(kSecretDigits)));
    const std::string secret = as_text(store.get("secret"));
    Acceptor acceptor(context_, tcp::endpoint(boost::asio::ip::make_address(host), 0));
    const tcp::endpoint place = acceptor.local_endpoint();
    store.set(place_key(rank), as_bytes(std::to_string(place.port()) + " " + place.address().to_string()));
    connect(endpoint_of(as_text(store.get(place_key(next_rank_)))), secret);
    accept(acceptor, secret);
    next_.set_option(tcp::no_delay(true));
    heard_at_ = Clock::now();
  }

  void exchange(std::span<const std::byte> sent, std::span<std::byte> received) override {
    sent_length_ = sent.size();
    sent_ = sent;
    received_ = received;
    failure_ = {};
    heard_at_ = spoken_at_ = Clock::now();
    context_.restart();
    is_sending_ = !sent.empty();
    is_receiving_ = !received.empty();
    if (is_sending_) send();
    if (is_receiving_) receive_length();
    while (is_sending_ || is_receiving_) {
      context_.run_one_for(patience_.beat);
      context_.restart();
      require_life();
      if (!is_sending_) beat_if_due();
    }
  }

  // A connection that was closed counts as silence, because the other rank may just have ended before this one. While a
  // message waits here, the other rank sends no beats: the exchange that takes the message finds out whether it lives.
  std::string silence() override {
    constexpr std::size_t kBeat = sizeof(Length);
    error_code ignored;
    while (previous_.available(ignored) >= kBeat) {
      Length length = 0;
      const auto place = boost::asio::buffer(&length, kBeat);
      if (previous_.receive(place, Socket::message_peek, ignored) < kBeat || length != 0) return "";
      previous_.receive(place, 0, ignored);
      heard_at_ = Clock::now();
    }
    return is_silent() ? lost(previous_rank_, silence_text()) : "";
  }

  // So few bytes always fit into the socket's memory.
  void beat() override {
    constexpr Length kNothing = 0;
    error_code ignored;
    ignored = next_.non_blocking(true, ignored);
    next_.write_some(boost::asio::buffer(&kNothing, sizeof(kNothing)), ignored);
    spoken_at_ = Clock::now();
  }

 private:
  static constexpr std::size_t kSecretDigits = 32;
  static constexpr std::chrono::seconds kSecretPatience{5};  // a member sends it as soon as it connects

  void send() {
    const std::array<boost::asio::const_buffer, 2> all{boost::asio::buffer(&sent_length_, sizeof(sent_length_)),
                                                       boost::asio::buffer(sent_.data(), sent_.size())};
    boost::asio::async_write(
        next_, all,
        [this](const error_code& failure, std::size_t) -> std::size_t {
          spoken_at_ = Clock::now();  // called after each part
          return failure ? 0 : kMostBytes;
        },
        [this](const error_code& failure, std::size_t) {
          is_sending_ = false;
          if (failure) fail(next_rank_, failure.message());
        });
  }

  void receive_length() {
    receive(boost::asio::buffer(&received_length_, sizeof(received_length_)), [this] {
      if (received_length_ == 0) return receive_length();
      if (received_length_ != received_.size()) return fail(previous_rank_, "it sent something else than expected");
      receive(boost::asio::buffer(received_.data(), received_.size()), [this] { is_receiving_ = false; });
    });
  }

  template <typename Then>
  void receive(boost::asio::mutable_buffer into, Then then) {
    boost::asio::async_read(
        previous_, into,
        [this](const error_code& failure, std::size_t bytes) -> std::size_t {
          if (bytes > 0) heard_at_ = Clock::now();
          return failure ? 0 : kMostBytes;
        },
        [this, then](const error_code& failure, std::size_t) {
          if (failure) return fail(previous_rank_, failure.message());
          heard_at_ = Clock::now();
          then();
        });
  }

  void fail(int other, const std::string& reason) {
    is_receiving_ = false;
    if (failure_.empty()) failure_ = lost(other, reason);
  }

  // Throws if a neighbour is lost. What is under way then ends first, because it uses the caller's memory.
  void require_life() {
    if (is_receiving_ && is_silent()) fail(previous_rank_, silence_text());
    // A rank that computes lives, but may not read for long. If it is lost, the rank after it hears nothing and ends,
    // and so on around the ring. If a message waits here, that is not seen, but the front ends this rank.
    if (is_sending_ && !is_receiving_ && failure_.empty()) failure_ = silence();
    if (failure_.empty()) return;
    error_code ignored;
    ignored = next_.close(ignored);
    ignored = previous_.close(ignored);
    context_.run();
    throw base::Error(base::ErrorKind::incomplete, failure_);
  }

  [[nodiscard]] bool is_silent() {
    const Clock::time_point now = Clock::now();
    if (own_pause_.has_ended(now)) heard_at_ = now;
    return now - heard_at_ > patience_.silence;
  }

  void beat_if_due() {
    if (Clock::now() - spoken_at_ >= patience_.beat) beat();
  }

  [[nodiscard]] std::string silence_text() const {
    return "no answer for " + std::to_string(patience_.silence.count() / 1000) + " s";
  }

  [[nodiscard]] std::string lost(int other, const std::string& reason) const {
    return "rank " + std::to_string(rank_) + " lost rank " + std::to_string(other) + ": " + reason;
  }

  void connect(const tcp::endpoint& place, const std::string& secret) {
    error_code failure;
    next_.async_connect(place, [&failure](const error_code& result) { failure = result; });
    if (!is_done_by(Clock::now() + patience_.meeting)) {
      next_.close();
      context_.run();
      failure = boost::asio::error::timed_out;
    }
    if (!failure) boost::asio::write(next_, boost::asio::buffer(secret), failure);
    if (failure) throw base::Error(base::ErrorKind::incomplete, lost(next_rank_, failure.message()));
  }

  // Accepts connections until one knows the SECRET.
  void accept(Acceptor& acceptor, const std::string& secret) {
    const Clock::time_point end = Clock::now() + patience_.meeting;
    for (bool is_known = false; !is_known;) {
      bool is_accepted = false;
      acceptor.async_accept(previous_, [&](const error_code& failure) { is_accepted = !failure; });
      if (!is_done_by(end)) {
        acceptor.close();
        context_.run();
        throw base::Error(base::ErrorKind::incomplete, lost(previous_rank_, "it did not connect in time"));
      }
      if (is_accepted) is_known = hears(secret, std::min(end, Clock::now() + kSecretPatience));
    }
  }

  // Whether the new connection says SECRET before END. Otherwise closes it.
  bool hears(const std::string& secret, Clock::time_point end) {
    std::string said(secret.size(), '\0');
    bool is_known = false;
    boost::asio::async_read(previous_, boost::asio::buffer(said),
                            [&](const error_code& failure, std::size_t) { is_known = !failure && said == secret; });
    if (!is_done_by(end)) context_.poll();  // this process may have stood still, and the secret be here
    if (is_known) return true;
    previous_.close();
    context_.restart();
    context_.run();
    return false;
  }

  // Whether what is under way ends before END.
  bool is_done_by(Clock::time_point end) {
    context_.restart();
    context_.run_until(end);
    return context_.stopped();
  }

  static constexpr std::size_t kMostBytes = std::size_t{1} << 20;  // at a time

  boost::asio::io_context context_;
  Socket next_{context_};
  Socket previous_{context_};
  Patience patience_;
  int rank_;
  int next_rank_;
  int previous_rank_;

  // Of the exchange under way.
  Length sent_length_ = 0;
  Length received_length_ = 0;
  std::span<const std::byte> sent_;
  std::span<std::byte> received_;
  bool is_sending_ = false;
  bool is_receiving_ = false;
  std::string failure_;
  Clock::time_point heard_at_;
  Clock::time_point spoken_at_;
  OwnPause own_pause_;
};

}  // namespace

std::unique_ptr<Ring> open_ring(c10d::Store& store, int rank, int ranks, const Patience& patience,
                                const std::string& host) {
  return std::make_unique<TcpRing>(store, rank, ranks, patience, host);
}

}  // namespace mpsbench::collective
