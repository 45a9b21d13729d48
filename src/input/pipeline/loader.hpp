// Batches of prepared images, which worker threads make in advance. The batches are the same for any number
// of workers and any timing.
#pragma once

#include "input/pipeline/order.hpp"
#include "input/pipeline/transform.hpp"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

namespace mpsbench::pipeline {

// Coordinates the threads that fill a fixed number of buffers with the thread that takes them. Batches are
// assigned in order, filled in any order and taken in order. Threads that wait are asleep.
class BatchQueue {
 public:
  struct Ticket {
    std::int64_t batch = 0;  // index within the epoch
    std::size_t buffer = 0;
  };

  explicit BatchQueue(std::size_t buffers);

  // The following functions are for the thread that takes batches.
  // Begins an epoch. Call abandon() before, except for the first epoch.
  void begin(std::int64_t batches);
  // Drops the batches that were not taken. When it returns, none is being filled.
  void abandon();
  // Waits for the next batch and throws its failure. Returns nullopt if the epoch is over.
  std::optional<Ticket> take();
  // Returns a batch that this thread may fill itself, or nullopt if no batch is left or no buffer is free.
  std::optional<Ticket> work_at_hand();
  // Allows a buffer that take() returned to be filled again. Any thread may call it.
  void give_back(std::size_t buffer);

  // The following functions are for the threads that fill batches.
  // Waits for a batch to fill. Returns nullopt if the queue was stopped.
  std::optional<Ticket> wait_for_work();
  void finish(const Ticket& ticket, std::exception_ptr failure);
  // Whether the batches being filled are no longer needed.
  [[nodiscard]] bool abandoned() const { return abandoned_; }

  // Stops the queue permanently: the filling threads end, and nothing waits any more.
  void stop();

 private:
  struct Filled {
    std::size_t buffer = 0;
    std::exception_ptr failure;
  };
  Ticket hand_out();
  [[nodiscard]] bool has_work() const { return next_ < batches_ && !free_.empty(); }

  std::mutex mutex_;
  std::condition_variable work_;  // has_work() or stopped_ may have become true
  std::condition_variable done_;  // a batch was filled, or filling_ decreased
  std::vector<std::size_t> free_;
  std::map<std::int64_t, Filled> filled_;  // by batch; filled but not taken yet
  std::int64_t batches_ = 0;
  std::int64_t next_ = 0;   // the next batch to assign
  std::int64_t taken_ = 0;  // the number of batches taken, so the index of the next
  int filling_ = 0;
  bool stopped_ = false;
  std::atomic<bool> abandoned_ = false;
};

struct LoadedBatch {
  std::span<float> images;         // rows x channels x height x width
  std::span<std::int64_t> labels;  // rows
  // The caller owns the memory of images and labels until the last copy of this lease is gone. Then the
  // memory is filled again.
  std::shared_ptr<void> lease;

  [[nodiscard]] std::int64_t rows() const { return static_cast<std::int64_t>(labels.size()); }
};

// Allocates memory for floats and integers. Each buffer is allocated once and used for many batches.
using Allocate = std::function<std::shared_ptr<void>(std::size_t bytes)>;
[[nodiscard]] std::shared_ptr<void> allocate_on_heap(std::size_t bytes);  // aligned to a cache line

struct LoaderOptions {
  int workers = 2;   // threads; 0: next() makes the batch itself
  int prefetch = 4;  // batches made in advance, at least 1; more workers than this would be idle
  Allocate allocate = allocate_on_heap;
};

class BatchLoader {
 public:
  // SOURCE must outlive the loader. Throws base::Error(usage) if ORDER contains no batch, and for the errors
  // of ImagePreparation.
  BatchLoader(const ImageSource& source, const ImageTransform& transform, const BatchOrder& order,
              const LoaderOptions& options = {});

  [[nodiscard]] const ImageShape& image_shape() const { return preparation_.output_shape(); }
  [[nodiscard]] std::int64_t batches() const { return batch_count(order_); }

  // Starts an epoch; the rest of the previous one is dropped. Epochs differ in order and in crops.
  void begin_epoch(std::int64_t epoch);

  // Returns the next batch, or nullopt if the epoch is over or none was begun. Throws base::Error with file
  // and row if a row could not be read. Also throws if the caller still holds prefetch + 1 batches.
  std::optional<LoadedBatch> next();

 private:
  struct Buffer {
    std::shared_ptr<void> images;
    std::shared_ptr<void> labels;
  };
  // Ends and joins the threads when it is destroyed.
  struct Workers {
    std::shared_ptr<BatchQueue> queue;
    std::vector<std::thread> threads;
    Workers() = default;
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;
    ~Workers();
  };

  void start_workers(int count);
  void work();
  [[nodiscard]] LoadedBatch view(const BatchQueue::Ticket& ticket) const;
  [[nodiscard]] std::exception_ptr fill(const BatchQueue::Ticket& ticket, ImagePreparation::Scratch& scratch) const;
  void fill_row(std::int64_t row, ImagePreparation::Scratch& scratch, std::span<float> image,
                std::int64_t& label) const;

  const ImageSource& source_;
  ImagePreparation preparation_;
  BatchOrder order_;
  std::shared_ptr<BatchQueue> queue_;
  std::vector<Buffer> buffers_;
  std::int64_t epoch_ = 0;
  std::vector<std::int64_t> rows_;     // of the epoch, in order
  ImagePreparation::Scratch scratch_;  // used by next() if there are no workers
  Workers workers_;                    // last, so that the threads end before the members that they use
};

}  // namespace mpsbench::pipeline
