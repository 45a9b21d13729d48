#include "collective/ring.hpp"

#include "collective/ranks.hpp"
#include "support/errors.hpp"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <gtest/gtest.h>
#include <unistd.h>

#include <sstream>
#include <thread>
#include <vector>

namespace mpsbench::collective {
namespace {

using boost::asio::ip::tcp;
// As in ring.cpp.
using Executor = boost::asio::io_context::executor_type;
using Socket = boost::asio::basic_stream_socket<tcp, Executor>;
using Acceptor = boost::asio::basic_socket_acceptor<tcp, Executor>;
using Store = c10::intrusive_ptr<c10d::Store>;

// A connection to the place where rank 0 waits for its neighbour.
Socket stranger(boost::asio::io_context& context, c10d::Store& store) {
  std::istringstream place(as_text(store.get("place/0")));
  std::uint16_t port = 0;
  std::string address;
  place >> port >> address;
  Socket socket(context);
  socket.connect({boost::asio::ip::make_address(address), port});
  return socket;
}

TEST(Ring, IsNotHeldUpByStrangers) {
  const auto received = tests::run_threads(2, [](const Store& store, int rank) {
    boost::asio::io_context context;
    std::vector<Socket> strangers;
    if (rank == 1) {
      strangers.push_back(stranger(context, *store));  // says nothing
      strangers.push_back(stranger(context, *store));
      boost::asio::write(strangers.back(), boost::asio::buffer(std::string(64, '0')));
    }
    const auto ring = open_ring(*store, rank, 2, tests::kPatience);
    const std::byte own{static_cast<unsigned char>(rank + 1)};
    std::byte other{0};
    ring->exchange({&own, 1}, {&other, 1});
    return other;
  });
  EXPECT_EQ(received, (std::vector{std::byte{2}, std::byte{1}}));
}

// Rank 1 lives, but reads only when the time to meet has long passed.
TEST(Ring, WaitsForARankThatDoesNotReadYet) {
  constexpr Patience kShort{.meeting = std::chrono::milliseconds(1000),
                            .silence = std::chrono::milliseconds(800),
                            .beat = std::chrono::milliseconds(50)};
  constexpr std::size_t kBytes = 40'000'000;  // more than sockets hold
  const auto received = tests::run_threads(2, [&](const Store& store, int rank) {
    const auto ring = open_ring(*store, rank, 2, kShort);
    std::vector<std::byte> bytes(kBytes, std::byte{static_cast<unsigned char>(rank == 0 ? 7 : 0)});
    if (rank == 0) {
      ring->exchange(bytes, {});
    } else {
      for (int beats = 0; beats < 30; ++beats) {
        std::this_thread::sleep_for(kShort.beat);
        ring->beat();
      }
      ring->exchange({}, bytes);
    }
    return bytes.back();
  });
  EXPECT_EQ(received[1], std::byte{7});
}

// Rank 1 has connected and never reads or says anything.
TEST(Ring, GivesUpASilentRankThatDoesNotRead) {
  const Patience patience = tests::lost_after(std::chrono::milliseconds(300));
  const auto said = tests::run_threads(2, [&](const Store& store, int rank) -> std::string {
    const auto ring = open_ring(*store, rank, 2, patience);
    if (rank == 1) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1500));
      return "";
    }
    const std::vector<std::byte> bytes(40'000'000);
    return tests::words_of([&] { ring->exchange(bytes, {}); });
  });
  EXPECT_EQ(said[0], "rank 0 lost rank 1: no answer for 0 s");
}

// Rank 1 says nothing, but rank 0 cannot know that while it stands still itself.
TEST(Ring, DoesNotCountItsOwnPauseAsSilence) {
  const Patience patience = tests::lost_after(std::chrono::milliseconds(400));
  const auto said = tests::run_threads(2, [&](const Store& store, int rank) -> std::string {
    const auto ring = open_ring(*store, rank, 2, patience);
    std::this_thread::sleep_for(std::chrono::milliseconds(rank == 0 ? 600 : 3000));
    if (rank == 1) return "";
    std::string loss = ring->silence();
    EXPECT_EQ(loss, "");
    for (int looks = 0; loss.empty() && looks < 200; ++looks) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      loss = ring->silence();
    }
    return loss;
  });
  EXPECT_EQ(said[0], "rank 0 lost rank 1: no answer for 0 s");
}

// A full queue of connections drops further ones, as a firewall does. The system alone would try for minutes.
TEST(Ring, GivesUpANeighbourThatCannotBeReached) {
  boost::asio::io_context context;
  Acceptor full(context, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0));
  full.listen(0);
  Socket waiting(context);
  waiting.connect(full.local_endpoint());
  const auto store = c10::make_intrusive<c10d::HashStore>();
  store->set("place/1", as_bytes(std::to_string(full.local_endpoint().port()) + " 127.0.0.1"));
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(tests::words_of([&] { (void)open_ring(*store, 0, 2, {.meeting = std::chrono::milliseconds(200)}); }),
            "rank 0 lost rank 1: Connection timed out");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::minutes(1));
}

TEST(Addresses, AreThoseUnderWhichOthersReachThisMachine) {
  EXPECT_EQ(own_address("127.0.0.1", 4321), "127.0.0.1");
  EXPECT_EQ(own_address("localhost", 4321), "127.0.0.1");
  EXPECT_EQ(tests::usage_error_of([] {
              (void)own_address("no.such.host.invalid", 1);
            }).rfind("the host 'no.such.host.invalid' is unknown: ", 0),
            0U);
}

TEST(Addresses, OfOtherMachinesCannotBeListenedOn) {
  const std::string text = tests::usage_error_of([] { (void)listen_at("192.0.2.1", 4321); });
  EXPECT_EQ(text.rfind("rank 0 cannot listen on 192.0.2.1:4321: ", 0), 0U) << text;
  ::close(listen_at("127.0.0.1", 0));
}

}  // namespace
}  // namespace mpsbench::collective
