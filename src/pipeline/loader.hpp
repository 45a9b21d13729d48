// Batches of prepared images, made by worker threads ahead of their use. The same batches come out whatever
// the number of workers and their timing.
#pragma once

#include "base/clock.hpp"
#include "pipeline/batch_queue.hpp"
#include "pipeline/image_source.hpp"
#include "pipeline/order.hpp"
#include "pipeline/transform.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <vector>

namespace mpsbench::pipeline {

struct LoadedBatch {
  std::span<float> images;         // rows x channels x height x width
  std::span<std::int64_t> labels;  // rows
  double waited_seconds = 0;       // that next() kept its caller
  // The memory of images and labels is the caller's until the last copy of this is gone; then it is filled
  // again.
  std::shared_ptr<void> lease;

  [[nodiscard]] std::int64_t rows() const { return static_cast<std::int64_t>(labels.size()); }
};

// Memory for floats and integers; each buffer is allocated once and used for many batches.
using Allocate = std::function<std::shared_ptr<void>(std::size_t bytes)>;
[[nodiscard]] std::shared_ptr<void> allocate_on_heap(std::size_t bytes);  // at the start of a cache line

struct LoaderOptions {
  int workers = 2;   // threads; 0: next() makes the batch itself
  int prefetch = 4;  // batches made ahead of the one in use, at least 1; workers beyond it would be idle
  Allocate allocate = allocate_on_heap;
  std::function<double()> now_seconds = base::steady_seconds;
};

class BatchLoader {
 public:
  // SOURCE must outlive the loader. Throws base::Error(usage) when ORDER makes no batch, and as
  // ImagePreparation.
  BatchLoader(const ImageSource& source, const ImageTransform& transform, const BatchOrder& order,
              const LoaderOptions& options = {});

  [[nodiscard]] const ImageShape& image_shape() const { return preparation_.output_shape(); }
  [[nodiscard]] std::int64_t batches() const { return batch_count(order_); }

  // Starts the batches of an epoch; what is left of another one is dropped. Epochs differ in order and crops.
  void begin_epoch(std::int64_t epoch);

  // The next batch; none: the epoch is over, or none was begun. Throws base::Error with file and row when a
  // row could not be read, and for a caller that still holds prefetch + 1 batches.
  std::optional<LoadedBatch> next();

 private:
  struct Buffer {
    std::shared_ptr<void> images;
    std::shared_ptr<void> labels;
  };
  // Ends and joins its threads.
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
  [[nodiscard]] std::exception_ptr fill(const BatchQueue::Ticket& ticket,
                                        ImagePreparation::Scratch& scratch) const;
  void fill_row(std::int64_t row, ImagePreparation::Scratch& scratch, std::span<float> image,
                std::int64_t& label) const;

  const ImageSource& source_;
  ImagePreparation preparation_;
  BatchOrder order_;
  std::function<double()> now_seconds_;
  std::shared_ptr<BatchQueue> queue_;
  std::vector<Buffer> buffers_;
  std::int64_t epoch_ = 0;
  std::vector<std::int64_t> rows_;     // of the epoch, in turn
  ImagePreparation::Scratch scratch_;  // of next(), without workers
  Workers workers_;                    // last, so that they end before what they use
};

}  // namespace mpsbench::pipeline
