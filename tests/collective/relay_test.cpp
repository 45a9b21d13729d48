#include "collective/relay.hpp"

#include <gtest/gtest.h>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#include <unistd.h>

#include <vector>

namespace mpsbench::collective {
namespace {

using namespace std::chrono_literals;

// A relay that writes down what it tells. It is never destroyed, because its threads wait for ever.
class Front {
 public:
  Front(std::int64_t rank, std::int64_t ranks, std::int64_t port, double timeout_seconds, bool keeps_store) {
    schema::RendezvousRequest request;
    request.place = {
        .rank = rank, .ranks = ranks, .address = "127.0.0.1", .port = port, .timeout_seconds = timeout_seconds};
    request.keeps_store = keeps_store;
    request.facts.rank = rank;
    request.facts.host = "host of rank " + std::to_string(rank);
    const auto tell = [this](const schema::Event& event) {
      const std::lock_guard lock(mutex_);
      told_.push_back(event);
    };
    relay_ = new Relay(request, [this] { return lives_.load(); }, tell, {.silence = 1500ms, .beat = 100ms});
  }

  Relay& relay() { return *relay_; }
  void freeze() { lives_ = false; }
  std::size_t told() {
    const std::lock_guard lock(mutex_);
    return told_.size();
  }

  // Waits for the event with this index and returns it.
  template <typename Event>
  Event await(std::size_t index = 0) {
    for (int i = 0; i < 4000; ++i) {
      relay_->watch();
      {
        const std::lock_guard lock(mutex_);
        if (told_.size() > index) {
          const auto* event = std::get_if<Event>(&told_[index]);
          if (event != nullptr) return *event;
          ADD_FAILURE() << schema::to_line(told_[index]);
          return {};
        }
      }
      std::this_thread::sleep_for(5ms);
    }
    ADD_FAILURE() << "nothing was told";
    return {};
  }

 private:
  std::atomic<bool> lives_ = true;
  std::mutex mutex_;
  std::vector<schema::Event> told_;
  Relay* relay_ = nullptr;
};

Front& front(std::int64_t rank, std::int64_t ranks, std::int64_t port, double timeout_seconds = 30) {
  return *new Front(rank, ranks, port, timeout_seconds, rank == 0);
}

// The same with a store that a launcher keeps there.
Front& front_of_launcher(std::int64_t rank, std::int64_t ranks, std::int64_t port, double timeout_seconds = 30) {
  return *new Front(rank, ranks, port, timeout_seconds, false);
}

// A port that nobody uses.
std::int64_t free_port() {
  static std::int64_t next = 20'000 + ::getpid() % 10'000;
  return ++next;
}

c10::intrusive_ptr<c10d::TCPStore> store_at(std::int64_t port, bool is_server) {
  c10d::TCPStoreOptions options;
  options.port = static_cast<std::uint16_t>(port);
  options.isServer = is_server;
  options.waitWorkers = false;
  return c10::make_intrusive<c10d::TCPStore>("127.0.0.1", options);
}

std::string line_of(int number) {
  return to_line(schema::FrontMessage(schema::StopOrder{number}));
}

std::size_t number_of(const schema::MessageEvent& event) {
  return static_cast<std::size_t>(std::get<schema::StopOrder>(event.message).number);
}

TEST(RelayTest, PassesMessagesInOrder) {
  const std::int64_t port = free_port();
  Front& zero = front(0, 3, port);
  Front& two = front(2, 3, port);
  Front& one = front(1, 3, port);
  const auto met = zero.await<schema::MetEvent>();
  ASSERT_EQ(met.fronts.size(), 3U);
  for (std::int64_t rank = 0; rank < 3; ++rank) {
    EXPECT_EQ(met.fronts[static_cast<std::size_t>(rank)].rank, rank);
    EXPECT_EQ(met.fronts[static_cast<std::size_t>(rank)].host, "host of rank " + std::to_string(rank));
  }
  EXPECT_EQ(one.await<schema::MetEvent>().prefix, met.prefix);
  EXPECT_EQ(two.await<schema::MetEvent>().prefix, met.prefix);
  for (int i = 1; i <= 3; ++i) zero.relay().send(line_of(i));
  for (int i = 1; i <= 3; ++i) one.relay().send(line_of(10 + i));
  for (std::size_t i = 1; i <= 3; ++i) {
    EXPECT_EQ(number_of(one.await<schema::MessageEvent>(i)), i);
    EXPECT_EQ(number_of(two.await<schema::MessageEvent>(i)), i);
    const auto mail = zero.await<schema::MessageEvent>(i);
    EXPECT_EQ(number_of(mail), 10 + i);
    EXPECT_EQ(mail.rank, 1);
  }
}

TEST(RelayTest, DoesNotKeepOldOrders) {
  constexpr std::size_t kOrders = 1'100;
  constexpr std::size_t kAtOnce = 100;
  const std::int64_t port = free_port();
  Front& zero = front(0, 2, port);
  Front& one = front(1, 2, port);
  const std::string prefix = zero.await<schema::MetEvent>().prefix;
  for (std::size_t sent = 0; sent < kOrders; sent += kAtOnce) {
    for (std::size_t i = 0; i < kAtOnce; ++i) zero.relay().send(line_of(1));
    (void)one.await<schema::MessageEvent>(sent + kAtOnce);  // the first event was the meeting
  }
  const auto store = store_at(port, /*is_server=*/false);
  EXPECT_FALSE(store->check({prefix + "/order/0"}));
  EXPECT_TRUE(store->check({prefix + "/order/" + std::to_string(kOrders - 1)}));
}

TEST(RelayTest, NoticesAFrontThatIsSilent) {
  const std::int64_t port = free_port();
  Front& zero = front(0, 3, port);
  Front& one = front(1, 3, port);
  Front& two = front(2, 3, port);
  (void)zero.await<schema::MetEvent>();
  two.freeze();
  const auto lost = zero.await<schema::LostEvent>(1);
  EXPECT_EQ(lost.rank, 2);
  EXPECT_EQ(lost.reason, "no sign of life for 1 s");
  zero.freeze();
  (void)one.await<schema::MetEvent>();
  EXPECT_EQ(one.await<schema::LostEvent>(1).rank, 0);
}

TEST(RelayTest, DoesNotCountItsOwnPauseAsSilence) {
  const std::int64_t port = free_port();
  Front& zero = front(0, 2, port);
  Front& one = front(1, 2, port);
  (void)zero.await<schema::MetEvent>();
  one.freeze();
  std::this_thread::sleep_for(2500ms);  // longer than the silence of a lost front
  zero.relay().watch();
  EXPECT_EQ(zero.told(), 1U);
  EXPECT_EQ(zero.await<schema::LostEvent>(1).rank, 1);
}

TEST(RelayTest, EndsTheMeetingInTime) {
  Front& zero = front(0, 2, free_port(), 0.5);
  const auto met = zero.await<schema::MetEvent>();
  ASSERT_EQ(met.fronts.size(), 1U);
  Front& one = front(1, 2, free_port(), 0.5);
  const std::string reason = one.await<schema::FailureEvent>().failure.message;
  EXPECT_EQ(reason.rfind("rank 1 cannot reach rank 0 at 127.0.0.1:", 0), 0U) << reason;
}

TEST(RelayTest, TellsThatTheStoreWasLostBeforeTheMeeting) {
  const std::int64_t port = free_port();
  auto store = store_at(port, /*is_server=*/true);
  Front& one = front_of_launcher(1, 2, port);
  while (store->queueLen("mpsbench/hello") == 0) std::this_thread::sleep_for(5ms);
  store.reset();
  const std::string reason = one.await<schema::FailureEvent>().failure.message;
  EXPECT_EQ(reason.rfind("rank 1 lost rank 0 at 127.0.0.1:", 0), 0U) << reason;
}

// A launcher's store outlives the runs of its job.
TEST(RelayTest, DoesNotCountAFrontOfAnEarlierRun) {
  const std::int64_t port = free_port();
  const auto store = store_at(port, /*is_server=*/true);
  (void)front_of_launcher(1, 2, port, 0.5).await<schema::FailureEvent>();  // rank 0 did not come
  Front& zero = front_of_launcher(0, 2, port);
  Front& one = front_of_launcher(1, 2, port);
  const auto met = zero.await<schema::MetEvent>();
  EXPECT_EQ(met.fronts.size(), 2U);
  EXPECT_EQ(one.await<schema::MetEvent>().prefix, met.prefix);
}

TEST(RelayTest, SaysThatItsPortIsTaken) {
  const std::int64_t port = free_port();
  (void)front(0, 1, port).await<schema::MetEvent>();
  EXPECT_EQ(
      front(0, 2, port).await<schema::FailureEvent>().failure.message,
      "port " + std::to_string(port) + " of this machine is taken by another program; set MASTER_PORT to a free one");
}

}  // namespace
}  // namespace mpsbench::collective
