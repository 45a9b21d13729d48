#include "input/pipeline/loader.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <new>
#include <numeric>
#include <string>
#include <system_error>
#include <utility>

namespace mpsbench::pipeline {

namespace {

constexpr std::align_val_t kCacheLine{64};

// Returns the batches made in advance, plus the one in use.
std::size_t buffer_count(const LoaderOptions& options) {
  return static_cast<std::size_t>(std::max(options.prefetch, 1)) + 1;
}

void check(const BatchOrder& order, const ImageSource& source) {
  if (order.batch_size < 1) throw base::usage_error("a batch must have at least one row");
  if (order.rows.first < 0 || order.rows.count < 0 || order.rows.first + order.rows.count > source.rows()) {
    throw base::Error(base::ErrorKind::internal, source.name() + " does not have the requested rows");
  }
  if (batch_count(order) == 0) {
    throw base::usage_error(source.name() + ": " + std::to_string(order.rows.count) +
                            " rows are too few for a batch of " + std::to_string(order.batch_size) +
                            "; use more rows or a smaller batch");
  }
}

}  // namespace

BatchQueue::BatchQueue(std::size_t buffers) : free_(buffers) {
  std::iota(free_.begin(), free_.end(), std::size_t{0});
}

void BatchQueue::begin(std::int64_t batches) {
  {
    const std::scoped_lock lock(mutex_);
    batches_ = batches;
    next_ = 0;
    taken_ = 0;
    abandoned_ = false;
  }
  work_.notify_all();
}

void BatchQueue::abandon() {
  std::unique_lock lock(mutex_);
  abandoned_ = true;
  next_ = batches_;
  done_.wait(lock, [this] { return filling_ == 0; });
  for (const auto& [batch, filled] : filled_) free_.push_back(filled.buffer);
  filled_.clear();
  taken_ = batches_;
}

std::optional<BatchQueue::Ticket> BatchQueue::take() {
  std::unique_lock lock(mutex_);
  if (taken_ == batches_) return std::nullopt;
  if (free_.empty() && filled_.empty() && filling_ == 0) {
    throw base::Error(base::ErrorKind::internal, "all batch buffers are still in use, so no batch can be made");
  }
  done_.wait(lock, [this] { return filled_.contains(taken_); });
  const Filled& filled = filled_.at(taken_);
  if (filled.failure) std::rethrow_exception(filled.failure);  // every later call throws it again
  const Ticket ticket{taken_, filled.buffer};
  filled_.erase(taken_);
  ++taken_;
  return ticket;
}

std::optional<BatchQueue::Ticket> BatchQueue::work_at_hand() {
  const std::scoped_lock lock(mutex_);
  if (!has_work()) return std::nullopt;
  return hand_out();
}

void BatchQueue::give_back(std::size_t buffer) {
  {
    const std::scoped_lock lock(mutex_);
    free_.push_back(buffer);
  }
  work_.notify_one();
}

std::optional<BatchQueue::Ticket> BatchQueue::wait_for_work() {
  std::unique_lock lock(mutex_);
  work_.wait(lock, [this] { return stopped_ || has_work(); });
  if (stopped_) return std::nullopt;
  return hand_out();
}

void BatchQueue::finish(const Ticket& ticket, std::exception_ptr failure) {
  {
    const std::scoped_lock lock(mutex_);
    --filling_;
    filled_[ticket.batch] = {ticket.buffer, std::move(failure)};
  }
  done_.notify_all();
}

void BatchQueue::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stopped_ = true;
    abandoned_ = true;
  }
  work_.notify_all();
}

BatchQueue::Ticket BatchQueue::hand_out() {
  const Ticket ticket{next_++, free_.back()};
  free_.pop_back();
  ++filling_;
  return ticket;
}

std::shared_ptr<void> allocate_on_heap(std::size_t bytes) {
  return {::operator new(bytes, kCacheLine), [](void* memory) { ::operator delete(memory, kCacheLine); }};
}

BatchLoader::BatchLoader(const ImageSource& source, const ImageTransform& transform, const BatchOrder& order,
                         const LoaderOptions& options)
    : source_(source),
      preparation_(transform, source.shape()),
      order_(order),
      queue_(std::make_shared<BatchQueue>(buffer_count(options))) {
  check(order, source);
  const auto rows = static_cast<std::size_t>(std::min(order.batch_size, order.rows.count));
  while (buffers_.size() < buffer_count(options)) {
    buffers_.push_back({options.allocate(rows * image_shape().elements() * sizeof(float)),
                        options.allocate(rows * sizeof(std::int64_t))});
  }
  start_workers(options.workers);
}

BatchLoader::Workers::~Workers() {
  if (queue) queue->stop();
  for (std::thread& thread : threads) thread.join();
}

void BatchLoader::start_workers(int count) {
  workers_.queue = queue_;
  try {
    for (int i = 0; i < count; ++i) workers_.threads.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    throw base::usage_error("the system allows only " + std::to_string(workers_.threads.size()) + " of " +
                            std::to_string(count) + " input threads; use fewer workers");
  }
}

void BatchLoader::work() {
  ImagePreparation::Scratch scratch;
  while (const auto ticket = queue_->wait_for_work()) queue_->finish(*ticket, fill(*ticket, scratch));
}

void BatchLoader::begin_epoch(std::int64_t epoch) {
  queue_->abandon();
  epoch_ = epoch;
  rows_ = epoch_rows(order_, epoch);
  queue_->begin(batches());
}

std::optional<LoadedBatch> BatchLoader::next() {
  if (workers_.threads.empty()) {
    if (const auto work = queue_->work_at_hand()) queue_->finish(*work, fill(*work, scratch_));
  }
  const auto ticket = queue_->take();
  if (!ticket) return std::nullopt;
  LoadedBatch batch = view(*ticket);
  const Buffer& buffer = buffers_[ticket->buffer];
  // The lease owns nothing itself; what matters is when it ends. It also keeps the memory alive if it
  // outlives the loader.
  batch.lease = std::shared_ptr<void>(
      nullptr, [queue = queue_, buffer, index = ticket->buffer](void*) { queue->give_back(index); });
  return batch;
}

LoadedBatch BatchLoader::view(const BatchQueue::Ticket& ticket) const {
  const std::int64_t first = ticket.batch * order_.batch_size;
  const auto rows =
      static_cast<std::size_t>(std::min(order_.batch_size, static_cast<std::int64_t>(rows_.size()) - first));
  const Buffer& buffer = buffers_[ticket.buffer];
  LoadedBatch batch;
  batch.images = {static_cast<float*>(buffer.images.get()), rows * image_shape().elements()};
  batch.labels = {static_cast<std::int64_t*>(buffer.labels.get()), rows};
  return batch;
}

std::exception_ptr BatchLoader::fill(const BatchQueue::Ticket& ticket, ImagePreparation::Scratch& scratch) const {
  const LoadedBatch batch = view(ticket);
  const std::size_t size = image_shape().elements();
  const auto first = static_cast<std::size_t>(ticket.batch * order_.batch_size);
  try {
    for (std::size_t i = 0; i < batch.labels.size() && !queue_->abandoned(); ++i) {
      fill_row(rows_[first + i], scratch, batch.images.subspan(i * size, size), batch.labels[i]);
    }
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

void BatchLoader::fill_row(std::int64_t row, ImagePreparation::Scratch& scratch, std::span<float> image,
                           std::int64_t& label) const {
  const auto place = [&] { return source_.name() + ", row " + std::to_string(row) + ": "; };
  try {
    const std::span<const std::uint8_t> pixels = source_.image(row);
    if (pixels.size() != source_.shape().elements()) {
      throw base::Error(base::ErrorKind::internal, std::to_string(pixels.size()) + " bytes are not an image");
    }
    const SplitMix64 random{order_.seed, static_cast<std::uint64_t>(epoch_), static_cast<std::uint64_t>(row)};
    preparation_.apply(pixels, random, scratch, image);
    label = source_.label(row);
  } catch (const base::Error& error) {
    throw base::Error(error.kind(), place() + error.what());
  } catch (const std::bad_alloc&) {
    throw;  // not an error of this row: memory has run out
  } catch (const std::exception& error) {
    throw base::Error(base::ErrorKind::internal, place() + error.what());
  }
}

}  // namespace mpsbench::pipeline
