#include "queue.hpp"

#include "settings.hpp"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/grad_mode.h>

#include <utility>

namespace mpsbench::standin {
Queue& Queue::instance() {
  static Queue queue;
  return queue;
}

Queue::Queue() : thread_([this] { work(); }) {}

Queue::~Queue() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  queued_.notify_one();
  thread_.join();
}

void Queue::work() {
  // Jobs only run kernels of the CPU; the host has already handled autograd.
  const at::AutoDispatchBelowADInplaceOrView kernels_only;
  const at::NoGradGuard no_grad;
  std::unique_lock lock(mutex_);
  while (true) {
    queued_.wait(lock, [this] { return ending_ || !jobs_.empty(); });
    if (ending_) return;
    Job job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    std::exception_ptr error;
    try {
      job();
    } catch (...) {
      error = std::current_exception();
    }
    job = nullptr;  // frees the job's memory before anybody sees that it is done
    lock.lock();
    if (error && !error_) error_ = error;
    ++done_;
    finished_.notify_all();
  }
}

std::int64_t Queue::add(Job job) {
  std::unique_lock lock(mutex_);
  finished_.wait(lock, [this] { return jobs_.size() < settings().most_queued; });
  jobs_.push_back(std::move(job));
  queued_.notify_one();
  return ++pushed_;
}

void Queue::await(std::int64_t count) {
  std::unique_lock lock(mutex_);
  finished_.wait(lock, [this, count] { return done_ >= count; });
}

void Queue::throw_error() {
  std::exception_ptr error;
  {
    const std::lock_guard lock(mutex_);
    error = std::exchange(error_, nullptr);
  }
  if (error) std::rethrow_exception(error);
}

void Queue::push(Job job) {
  add(std::move(job));
}

void Queue::run(Job job) {
  await(add(std::move(job)));
  throw_error();
}

void Queue::synchronise() {
  if (settings().synchronise == Synchronise::never) return;
  std::int64_t count = 0;
  {
    const std::lock_guard lock(mutex_);
    const std::int64_t waiting = pushed_ - done_;
    count = settings().synchronise == Synchronise::early ? done_ + waiting / 2 : pushed_;
  }
  await(count);
  throw_error();
}

}  // namespace mpsbench::standin
