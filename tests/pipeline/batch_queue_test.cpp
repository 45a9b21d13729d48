#include "pipeline/batch_queue.hpp"

#include "base/error.hpp"

#include <gtest/gtest.h>

#include <exception>
#include <stdexcept>
#include <thread>

namespace mpsbench::pipeline {
namespace {

using Ticket = BatchQueue::Ticket;

TEST(BatchQueue, HandsOutInTurnAndOnlyWhereABufferIsFree) {
  BatchQueue queue(2);
  EXPECT_FALSE(queue.work_at_hand());  // no epoch has begun
  queue.begin(3);
  const Ticket first = queue.work_at_hand().value();
  const Ticket second = queue.work_at_hand().value();
  EXPECT_EQ(first.batch, 0);
  EXPECT_EQ(second.batch, 1);
  EXPECT_NE(first.buffer, second.buffer);
  EXPECT_FALSE(queue.work_at_hand());  // no buffer is free
  queue.finish(second, nullptr);
  queue.finish(first, nullptr);
  const Ticket taken = queue.take().value();
  EXPECT_EQ(taken.batch, 0);
  EXPECT_EQ(taken.buffer, first.buffer);
  EXPECT_FALSE(queue.work_at_hand());
  queue.give_back(taken.buffer);
  const Ticket third = queue.work_at_hand().value();
  EXPECT_EQ(third.batch, 2);
  EXPECT_EQ(third.buffer, first.buffer);
  queue.finish(third, nullptr);
  EXPECT_EQ(queue.take().value().batch, 1);
  EXPECT_EQ(queue.take().value().batch, 2);
  EXPECT_FALSE(queue.take());  // the epoch is over
}

TEST(BatchQueue, AFailureIsThrownInItsTurn) {
  BatchQueue queue(2);
  queue.begin(2);
  const Ticket first = queue.work_at_hand().value();
  const Ticket second = queue.work_at_hand().value();
  queue.finish(second, std::make_exception_ptr(std::runtime_error("second")));
  queue.finish(first, nullptr);
  EXPECT_EQ(queue.take().value().batch, 0);
  EXPECT_THROW(queue.take(), std::runtime_error);
  EXPECT_THROW(queue.take(), std::runtime_error);
}

TEST(BatchQueue, TakingWithoutAnyBufferIsAnErrorInsteadOfAHang) {
  BatchQueue queue(1);
  queue.begin(2);
  queue.finish(queue.work_at_hand().value(), nullptr);
  ASSERT_TRUE(queue.take());
  EXPECT_THROW(queue.take(), base::Error);
}

TEST(BatchQueue, AbandoningWaitsForWhatIsBeingFilledAndFreesIt) {
  BatchQueue queue(2);
  queue.begin(5);
  queue.finish(queue.work_at_hand().value(), nullptr);
  const Ticket under_way = queue.work_at_hand().value();
  std::thread filler([&] {
    while (!queue.abandoned()) std::this_thread::yield();
    queue.finish(under_way, nullptr);
  });
  queue.abandon();
  filler.join();
  EXPECT_FALSE(queue.take());
  EXPECT_FALSE(queue.work_at_hand());
  queue.begin(2);
  EXPECT_FALSE(queue.abandoned());
  EXPECT_EQ(queue.work_at_hand().value().batch, 0);
  EXPECT_EQ(queue.work_at_hand().value().batch, 1);  // both buffers are free again
}

TEST(BatchQueue, StoppingWakesThoseWhoWaitForWork) {
  BatchQueue queue(1);
  bool got_work = true;
  std::thread filler([&] { got_work = queue.wait_for_work().has_value(); });
  queue.stop();
  filler.join();
  EXPECT_FALSE(got_work);
  EXPECT_TRUE(queue.abandoned());
}

}  // namespace
}  // namespace mpsbench::pipeline
