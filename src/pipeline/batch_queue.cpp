#include "pipeline/batch_queue.hpp"

#include "base/error.hpp"

#include <numeric>
#include <utility>

namespace mpsbench::pipeline {

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
    throw base::Error(base::ErrorKind::internal,
                      "all batch buffers are still in use, so no batch can be made");
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

}  // namespace mpsbench::pipeline
