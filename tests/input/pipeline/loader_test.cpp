#include "input/pipeline/loader.hpp"

#include "base/error.hpp"
#include "input/pipeline/fake_source.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>

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

struct Copy {
  std::vector<float> images;
  std::vector<std::int64_t> labels;
  bool operator==(const Copy&) const = default;
};

std::vector<Copy> read_epoch(BatchLoader& loader, std::int64_t epoch) {
  std::vector<Copy> batches;
  loader.begin_epoch(epoch);
  while (const auto batch = loader.next()) {
    batches.push_back({{batch->images.begin(), batch->images.end()}, {batch->labels.begin(), batch->labels.end()}});
  }
  return batches;
}

std::string error_of_next(BatchLoader& loader) {
  try {
    while (loader.next()) continue;
  } catch (const base::Error& error) {
    return error.what();
  }
  return "";
}

TEST(Loader, DeliversEveryRowInTurn) {
  const FakeSource source(20);
  BatchLoader loader(source, {}, {.rows = {3, 11}, .batch_size = 4});
  EXPECT_EQ(loader.batches(), 3);
  EXPECT_EQ(loader.image_shape(), (ImageShape{2, 4, 4}));
  const std::vector<Copy> batches = read_epoch(loader, 0);
  ASSERT_EQ(batches.size(), 3U);
  std::int64_t row = 3;
  for (const Copy& batch : batches) {
    EXPECT_EQ(batch.labels.size(), &batch == &batches.back() ? 3U : 4U);
    ASSERT_EQ(batch.images.size(), batch.labels.size() * 32);
    for (std::size_t i = 0; i < batch.labels.size(); ++i, ++row) {
      EXPECT_EQ(batch.labels[i], row % 10);
      for (std::int64_t k = 0; k < 32; ++k) {
        EXPECT_EQ(batch.images[32 * i + static_cast<std::size_t>(k)],
                  static_cast<float>(FakeSource::pixel(row, k)) / 255);
      }
    }
  }
  EXPECT_EQ(row, 14);
}

TEST(Loader, DropsTheLastPartOnly) {
  const FakeSource source(11);
  BatchLoader loader(source, {}, {.rows = {0, 11}, .batch_size = 4, .drop_last = true});
  const std::vector<Copy> batches = read_epoch(loader, 0);
  ASSERT_EQ(batches.size(), 2U);
  EXPECT_EQ(batches[1].labels, (std::vector<std::int64_t>{4, 5, 6, 7}));
}

TEST(Loader, GivesTheSameBatchesWhateverTheWorkers) {
  const FakeSource source(50, 8);
  const ImageTransform transform{.resize_to = 12, .crop_to = 9, .random_crop = true};
  const BatchOrder order{.rows = {0, 50}, .batch_size = 8, .drop_last = true, .shuffle = true, .seed = 7};
  BatchLoader alone(source, transform, order, {.workers = 0});
  const std::vector<Copy> first = read_epoch(alone, 0);
  const std::vector<Copy> second = read_epoch(alone, 1);
  EXPECT_EQ(first.size(), 6U);
  EXPECT_NE(first, second);
  for (const int workers : {1, 2, 5}) {
    for (const int prefetch : {1, 3}) {
      BatchLoader loader(source, transform, order, {.workers = workers, .prefetch = prefetch});
      EXPECT_EQ(read_epoch(loader, 0), first) << workers;
      EXPECT_EQ(read_epoch(loader, 1), second) << workers;
      EXPECT_EQ(read_epoch(loader, 0), first) << workers;
    }
  }
}

TEST(Loader, RandomCropsDependOnRowAndEpochNotOnTheBatch) {
  const FakeSource source(12, 8);
  const ImageTransform transform{.crop_to = 3, .random_crop = true};
  const auto images = [&](std::int64_t batch_size, std::int64_t epoch, std::uint64_t seed) {
    const BatchOrder order{.rows = {0, 12}, .batch_size = batch_size, .seed = seed};
    BatchLoader loader(source, transform, order, {.workers = 0});
    std::vector<float> all;
    for (const Copy& batch : read_epoch(loader, epoch)) {
      all.insert(all.end(), batch.images.begin(), batch.images.end());
    }
    return all;
  };
  EXPECT_EQ(images(5, 2, 1), images(12, 2, 1));
  EXPECT_NE(images(12, 2, 1), images(12, 3, 1));
  EXPECT_NE(images(12, 2, 1), images(12, 2, 0));
  std::set<int> offsets;  // the first pixel minus the amount that the row adds to it
  const std::vector<float> all = images(12, 2, 1);
  for (int row = 0; row < 12; ++row) {
    const auto first = static_cast<int>(std::lround(255 * all[static_cast<std::size_t>(row) * 18]));
    offsets.insert((first - FakeSource::pixel(row, 0) + 256) % 256);
  }
  EXPECT_GT(offsets.size(), 3U);
}

TEST(Loader, MakesPrefetchBatchesAheadAndNoMore) {
  FakeSource source(100);
  std::atomic<int> reads = 0;
  Gate third_batch;
  source.on_read = [&](std::int64_t row) {
    ++reads;
    if (row == 8) third_batch.open();
  };
  BatchLoader loader(source, {}, {.rows = {0, 100}, .batch_size = 4}, {.workers = 1, .prefetch = 2});
  EXPECT_EQ(reads, 0);  // nothing is read before an epoch begins
  loader.begin_epoch(0);
  third_batch.wait();  // two in advance, and the one that will be in use
  const auto in_use = loader.next();
  ASSERT_TRUE(in_use);
  for (int i = 0; i < 1000; ++i) std::this_thread::yield();
  EXPECT_LE(reads, 12);
}

TEST(Loader, ABatchInUseIsNotOverwritten) {
  const FakeSource source(64);
  BatchLoader loader(source, {}, {.rows = {0, 64}, .batch_size = 4}, {.workers = 2, .prefetch = 2});
  loader.begin_epoch(0);
  std::optional<LoadedBatch> next = loader.next();
  const LoadedBatch& kept = next.value();
  const std::vector<float> before(kept.images.begin(), kept.images.end());
  const std::shared_ptr<void> lease = kept.lease;  // held as a tensor would hold it
  const std::span<const float> images = kept.images;
  next.reset();
  while (loader.next()) continue;
  EXPECT_TRUE(std::equal(images.begin(), images.end(), before.begin()));
}

TEST(Loader, ALeaseOutlivesTheLoader) {
  const FakeSource source(8);
  std::optional<LoadedBatch> batch;
  {
    BatchLoader loader(source, {}, {.rows = {0, 8}, .batch_size = 4});
    loader.begin_epoch(0);
    batch = loader.next();
  }
  EXPECT_EQ(batch.value().images[1], static_cast<float>(FakeSource::pixel(0, 1)) / 255);
}

TEST(Loader, HoldingEveryBatchIsAnErrorInsteadOfAHang) {
  const FakeSource source(64);
  for (const int workers : {0, 2}) {
    BatchLoader loader(source, {}, {.rows = {0, 64}, .batch_size = 4}, {.workers = workers, .prefetch = 2});
    loader.begin_epoch(0);
    std::vector<LoadedBatch> held;
    for (int i = 0; i < 3; ++i) held.push_back(loader.next().value());
    EXPECT_THROW((void)loader.next(), base::Error);
    held.pop_back();
    EXPECT_TRUE(loader.next());
  }
}

TEST(Loader, MemoryComesFromTheGivenAllocator) {
  const FakeSource source(64);
  std::vector<std::size_t> sizes;
  std::set<void*> blocks;
  const Allocate allocate = [&](std::size_t bytes) {
    sizes.push_back(bytes);
    std::shared_ptr<void> memory = allocate_on_heap(bytes);
    blocks.insert(memory.get());
    return memory;
  };
  BatchLoader loader(source, {}, {.rows = {0, 64}, .batch_size = 4},
                     {.workers = 2, .prefetch = 2, .allocate = allocate});
  EXPECT_EQ(sizes, (std::vector<std::size_t>{512, 32, 512, 32, 512, 32}));
  loader.begin_epoch(0);
  while (const auto batch = loader.next()) {
    EXPECT_EQ(blocks.count(batch->images.data()), 1U);
    EXPECT_EQ(blocks.count(batch->labels.data()), 1U);
  }
  EXPECT_EQ(sizes.size(), 6U);  // nothing is allocated during the epoch
}

TEST(Loader, NamesFileAndRowOfAFailure) {
  FakeSource source(40);
  source.on_read = [](std::int64_t row) {
    if (row == 13) throw base::usage_error("the file was cut while it was read");
    if (row == 30) throw std::runtime_error("odd");
  };
  for (const int workers : {0, 1, 3}) {
    BatchLoader loader(source, {}, {.rows = {0, 40}, .batch_size = 4}, {.workers = workers});
    loader.begin_epoch(0);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(loader.next());
    EXPECT_EQ(error_of_next(loader), "fake.bin, row 13: the file was cut while it was read");
    EXPECT_EQ(error_of_next(loader), "fake.bin, row 13: the file was cut while it was read");
  }
  BatchLoader loader(source, {}, {.rows = {28, 8}, .batch_size = 4});
  loader.begin_epoch(0);
  EXPECT_EQ(error_of_next(loader), "fake.bin, row 30: odd");
}

TEST(Loader, GoesOnWithANewEpochAfterAFailureOrInTheMiddle) {
  FakeSource source(40);
  std::atomic<bool> broken = true;
  source.on_read = [&](std::int64_t row) {
    if (row == 21 && broken) throw base::usage_error("unreadable");
  };
  BatchLoader loader(source, {}, {.rows = {0, 40}, .batch_size = 4}, {.workers = 2, .prefetch = 3});
  loader.begin_epoch(0);
  EXPECT_NE(error_of_next(loader), "");
  broken = false;
  loader.begin_epoch(1);
  const auto held = loader.next();
  EXPECT_TRUE(held);
  EXPECT_EQ(read_epoch(loader, 2).size(), 10U);  // the batches of epoch 1 are dropped
}

TEST(Loader, EndsInTheMiddleOfAnEpochAfterTheRowAtHand) {
  FakeSource source(4000);
  std::atomic<int> reads = 0;
  Gate started;
  source.on_read = [&](std::int64_t) {
    ++reads;
    started.open();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // so that the whole batch would take seconds
  };
  {
    BatchLoader loader(source, {}, {.rows = {0, 4000}, .batch_size = 4000}, {.workers = 1});
    loader.begin_epoch(0);
    started.wait();
  }
  EXPECT_LT(reads, 4000);
}

TEST(Loader, SaysWhatMakesNoBatch) {
  const FakeSource source(10);
  const auto error_of = [&](const BatchOrder& order) -> std::string {
    try {
      const BatchLoader loader(source, {}, order);
    } catch (const base::Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(error_of({.rows = {0, 10}, .batch_size = 32, .drop_last = true}),
            "fake.bin: 10 rows are too few for a batch of 32; use more rows or a smaller batch");
  EXPECT_EQ(error_of({.rows = {0, 10}, .batch_size = 32}), "");
  EXPECT_NE(error_of({.rows = {0, 0}, .batch_size = 32}), "");
  EXPECT_NE(error_of({.rows = {0, 10}, .batch_size = 0}), "");
  EXPECT_NE(error_of({.rows = {5, 6}, .batch_size = 2}), "");
}

}  // namespace

}  // namespace mpsbench::pipeline
