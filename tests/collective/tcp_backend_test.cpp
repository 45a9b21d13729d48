#include "collective/tcp_backend.hpp"

#include "collective/ranks.hpp"
#include "support/errors.hpp"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <gtest/gtest.h>

namespace mpsbench::collective {
namespace {

using Store = c10::intrusive_ptr<c10d::Store>;

// Returns what each of RANKS holds after reducing tensors of SIZE elements, in which rank R has (R + 1) * (1, 2, ...).
std::vector<at::Tensor> reduced(int ranks, std::int64_t size, c10d::ReduceOp::RedOpType operation,
                                at::ScalarType type = at::kFloat) {
  return tests::run_threads(ranks, [=](const Store& store, int rank) {
    TcpBackend backend(*store, rank, ranks, tests::kPatience);
    std::vector<at::Tensor> tensors{(at::arange(1, size + 1) * (rank + 1)).to(type)};
    c10d::AllreduceOptions options;
    options.reduceOp = operation;
    backend.allreduce(tensors, options)->wait();
    return tensors.front();
  });
}

TEST(TcpBackend, AddsUpOverAllRanks) {
  for (const int ranks : {2, 3, 4}) {
    for (const std::int64_t size : {1, 2, 7, 100'003}) {
      const at::Tensor expected = (at::arange(1, size + 1) * (ranks * (ranks + 1) / 2)).to(at::kDouble);
      for (const at::Tensor& found : reduced(ranks, size, c10d::ReduceOp::SUM, at::kDouble))
        EXPECT_TRUE(found.equal(expected)) << ranks << " ranks, " << size << " elements";
    }
  }
}

TEST(TcpBackend, AveragesAndTakesTheLargest) {
  for (const at::Tensor& found : reduced(4, 5, c10d::ReduceOp::AVG))
    EXPECT_TRUE(found.equal(at::arange(1, 6) * 2.5F)) << found;
  for (const at::Tensor& found : reduced(4, 5, c10d::ReduceOp::MAX))
    EXPECT_TRUE(found.equal((at::arange(1, 6) * 4).to(at::kFloat))) << found;
  for (const at::Tensor& found : reduced(2, 5, c10d::ReduceOp::SUM, at::kBFloat16))
    EXPECT_TRUE(found.equal((at::arange(1, 6) * 3).to(at::kBFloat16))) << found;
}

TEST(TcpBackend, GivesAllRanksTheSameBits) {
  const std::vector<at::Tensor> sums = tests::run_threads(4, [](const Store& store, int rank) {
    TcpBackend backend(*store, rank, 4, tests::kPatience);
    at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(static_cast<std::uint64_t>(rank));
    std::vector<at::Tensor> tensors{at::randn({10'001}, generator)};
    backend.allreduce(tensors)->wait();
    return tensors.front();
  });
  for (const at::Tensor& sum : sums) EXPECT_TRUE(sum.equal(sums.front()));
}

TEST(TcpBackend, CopiesFromAnyRank) {
  for (const int root : {0, 1, 2}) {
    const std::vector<at::Tensor> copies = tests::run_threads(3, [root](const Store& store, int rank) {
      TcpBackend backend(*store, rank, 3, tests::kPatience);
      std::vector<at::Tensor> tensors{at::full({9}, rank)};
      c10d::BroadcastOptions options;
      options.rootRank = root;
      backend.broadcast(tensors, options)->wait();
      return tensors.front();
    });
    for (const at::Tensor& copy : copies) EXPECT_TRUE(copy.equal(at::full({9}, root))) << copy;
  }
}

TEST(TcpBackend, RunsWhatIsQueuedInOrder) {
  const std::vector<at::Tensor> found = tests::run_threads(2, [](const Store& store, int rank) {
    TcpBackend backend(*store, rank, 2, tests::kPatience);
    std::vector<at::Tensor> tensors{at::ones({1000})};
    std::vector<c10::intrusive_ptr<c10d::Work>> queued;
    for (int i = 0; i < 20; ++i) queued.push_back(backend.allreduce(tensors));
    for (const auto& one : queued) one->wait();
    return tensors.front();
  });
  for (const at::Tensor& one : found) EXPECT_TRUE(one.equal(at::full({1000}, float{1 << 20}))) << one;
}

TEST(TcpBackend, NamesALostRank) {
  const std::vector<std::string> said = tests::run_threads(3, [](const Store& store, int rank) -> std::string {
    TcpBackend backend(*store, rank, 3, tests::kPatience);
    if (rank == 1) return "left";
    std::vector<at::Tensor> tensors{at::ones({1000})};
    return tests::words_of([&] { backend.allreduce(tensors)->wait(); });
  });
  EXPECT_TRUE(tests::contains(said[2], "rank 2 lost rank 1")) << said[2];
  EXPECT_TRUE(tests::contains(said[0], "rank 0 lost rank ")) << said[0];
}

// Rank 1 does nothing for much longer than the patience of the others, but lives.
TEST(TcpBackend, WaitsForARankThatIsBusy) {
  const Patience patience = tests::lost_after(std::chrono::milliseconds(400));
  for (const at::Tensor& sum : tests::run_threads(3, [&](const Store& store, int rank) {
         TcpBackend backend(*store, rank, 3, patience, kLoopback,
                            [](const std::string& words) { ADD_FAILURE() << words; });
         if (rank == 1) std::this_thread::sleep_for(std::chrono::milliseconds(1500));
         std::vector<at::Tensor> tensors{at::ones({10'000'000})};  // more than sockets hold
         backend.allreduce(tensors)->wait();
         return tensors.front();
       }))
    EXPECT_TRUE(sum.equal(at::full({10'000'000}, 3.0F)));
}

// Rank 1 has connected and never says anything. Rank 0 waits for it, or nobody does.
TEST(TcpBackend, GivesUpASilentRank) {
  const Patience patience = tests::lost_after(std::chrono::milliseconds(300));
  for (const bool waits : {true, false}) {
    const std::vector<std::string> said = tests::run_threads(2, [&](const Store& store, int rank) -> std::string {
      if (rank == 1) {
        const auto silent = open_ring(*store, rank, 2, patience);
        std::this_thread::sleep_for(std::chrono::milliseconds(1500));
        return "";
      }
      std::promise<std::string> told;
      std::future<std::string> reason = told.get_future();
      LostCall tell;
      if (!waits) tell = [&](const std::string& words) { told.set_value(words); };
      TcpBackend backend(*store, rank, 2, patience, kLoopback, tell);
      std::vector<at::Tensor> tensors{at::ones({5})};
      if (waits) return tests::words_of([&] { backend.allreduce(tensors)->wait(); });
      return reason.wait_for(std::chrono::seconds(10)) == std::future_status::ready ? reason.get() : "nothing";
    });
    EXPECT_EQ(said[0], "rank 0 lost rank 1: no answer for 0 s");
  }
}

// Each rank lives for much longer than the patience of the others, and nobody watches rank 0 when it ends.
TEST(TcpBackend, TellsOfNobodyWhoLives) {
  const Patience patience = tests::lost_after(std::chrono::milliseconds(300));
  const std::vector<std::string> said = tests::run_threads(2, [&](const Store& store, int rank) -> std::string {
    std::string reason;
    TcpBackend backend(*store, rank, 2, patience, kLoopback, [&](const std::string& words) { reason = words; });
    std::this_thread::sleep_for(std::chrono::milliseconds(1200));
    std::vector<at::Tensor> tensors{at::ones({1})};
    backend.allreduce(tensors)->wait();
    backend.stop_watching();
    if (rank == 1) std::this_thread::sleep_for(std::chrono::milliseconds(800));
    return reason;
  });
  EXPECT_EQ(said, (std::vector<std::string>{"", ""}));
}

TEST(TcpBackend, GathersTheParts) {
  for (const at::Tensor& all : tests::run_threads(3, [](const Store& store, int rank) {
         TcpBackend backend(*store, rank, 3, tests::kPatience);
         at::Tensor own = at::full({2}, rank);
         at::Tensor together = at::full({6}, -1.0);
         backend._allgather_base(together, own)->wait();
         return together;
       }))
    EXPECT_TRUE(all.equal(at::tensor({0.0F, 0.0F, 1.0F, 1.0F, 2.0F, 2.0F}))) << all;
}

TEST(TcpBackend, GivesUpARankThatDoesNotCome) {
  const Store store = c10::make_intrusive<c10d::HashStore>();
  store->setTimeout(std::chrono::milliseconds(200));
  EXPECT_ANY_THROW(TcpBackend(*store, 0, 2, {.meeting = std::chrono::milliseconds(200)}));
}

TEST(TcpBackend, RefusesWhatItCannotSend) {
  for (const std::string& said : tests::run_threads(2, [](const Store& store, int rank) -> std::string {
         TcpBackend backend(*store, rank, 2, tests::kPatience);
         std::vector<at::Tensor> strided{at::ones({4, 4}).t().slice(0, 0, 2)};
         try {
           backend.allreduce(strided);
         } catch (const c10::Error& error) {
           return error.what_without_backtrace();
         }
         return "";
       }))
    EXPECT_TRUE(tests::contains(said, "contiguous")) << said;
}

}  // namespace
}  // namespace mpsbench::collective
