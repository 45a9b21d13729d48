#include "collective/tcp_backend.hpp"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <cstddef>
#include <exception>
#include <span>
#include <utility>

namespace mpsbench::collective {
namespace {

std::span<std::byte> bytes_of(const at::Tensor& tensor) {
  return {static_cast<std::byte*>(tensor.data_ptr()), tensor.nbytes()};
}

at::Tensor flat(const at::Tensor& tensor) {
  TORCH_CHECK(tensor.is_cpu() && tensor.is_contiguous(), "tcp: expected a contiguous tensor on the CPU");
  return tensor.view(-1);
}

at::Tensor flat(const std::vector<at::Tensor>& tensors) {
  TORCH_CHECK(tensors.size() == 1, "tcp: expected one tensor, not ", tensors.size());
  return flat(tensors.front());
}

void combine(at::Tensor& into, const at::Tensor& with, c10d::ReduceOp::RedOpType operation) {
  if (operation == c10d::ReduceOp::MAX) {
    at::maximum_out(into, into, with);
  } else {
    into.add_(with);
  }
}

}  // namespace

class TcpBackend::Task final : public c10d::Work {
 public:
  Task(int rank, c10d::OpType type, std::function<void()> operation)
      : Work(rank, type), operation_(std::move(operation)) {}

  void run() {
    try {
      operation_();
      finish();
    } catch (...) {
      finish(std::current_exception());
    }
  }

 private:
  std::function<void()> operation_;
};

TcpBackend::TcpBackend(c10d::Store& store, int rank, int ranks, const Patience& patience, const std::string& host,
                       LostCall on_lost)
    : Backend(rank, ranks),
      patience_(patience),
      ring_(open_ring(store, rank, ranks, patience, host)),
      on_lost_(std::move(on_lost)),
      thread_([this] { run_tasks(); }) {}

TcpBackend::~TcpBackend() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

c10::intrusive_ptr<c10d::Work> TcpBackend::allreduce(std::vector<at::Tensor>& tensors,
                                                     const c10d::AllreduceOptions& options) {
  const c10d::ReduceOp::RedOpType operation = options.reduceOp.op_;
  TORCH_CHECK(operation == c10d::ReduceOp::SUM || operation == c10d::ReduceOp::AVG || operation == c10d::ReduceOp::MAX,
              "tcp: cannot reduce like this");
  return start(c10d::OpType::ALLREDUCE,
               [this, tensor = flat(tensors), operation] { reduce_around(tensor, operation); });
}

c10::intrusive_ptr<c10d::Work> TcpBackend::broadcast(std::vector<at::Tensor>& tensors,
                                                     const c10d::BroadcastOptions& options) {
  const int root = static_cast<int>(options.rootRank);
  return start(c10d::OpType::BROADCAST, [this, tensor = flat(tensors), root] { spread(tensor, root); });
}

c10::intrusive_ptr<c10d::Work> TcpBackend::_allgather_base(at::Tensor& output, at::Tensor& input,
                                                           const c10d::AllgatherOptions& /*options*/) {
  TORCH_CHECK(output.numel() == input.numel() * size_, "tcp: expected a part for each rank");
  return start(c10d::OpType::ALLGATHER, [this, parts = flat(output).chunk(size_), own = flat(input)] {
    const at::Tensor& mine = parts[static_cast<std::size_t>(rank_)];
    if (mine.data_ptr() != own.data_ptr()) mine.copy_(own);
    pass_around(parts, rank_);
  });
}

void TcpBackend::stop_watching() {
  const std::lock_guard lock(mutex_);
  on_lost_ = {};
}

c10::intrusive_ptr<c10d::Work> TcpBackend::start(c10d::OpType type, std::function<void()> operation) {
  auto task = c10::make_intrusive<Task>(rank_, type, std::move(operation));
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(task);
  }
  changed_.notify_one();
  return task;
}

// Runs tasks until the backend ends, those that are queued then included.
void TcpBackend::run_tasks() {
  const at::NoGradGuard no_grad;
  std::unique_lock lock(mutex_);
  for (;;) {
    while (!changed_.wait_for(lock, patience_.beat, [this] { return is_ending_ || !tasks_.empty(); })) watch();
    if (tasks_.empty()) return;
    const c10::intrusive_ptr<Task> task = tasks_.front();
    tasks_.pop_front();
    lock.unlock();
    task->run();
    lock.lock();
  }
}

// There is no operation. The mutex is locked.
void TcpBackend::watch() {
  ring_->beat();
  if (!on_lost_) return;
  const std::string reason = ring_->silence();
  if (!reason.empty()) std::exchange(on_lost_, {})(reason);
}

// The tensor has as many parts as there are ranks. While the parts go once around the ring, each rank adds its own
// values to the part that comes in. Then each rank holds one finished part, and these go around once more.
void TcpBackend::reduce_around(const at::Tensor& tensor, c10d::ReduceOp::RedOpType operation) {
  std::vector<at::Tensor> parts = tensor.tensor_split(size_);
  at::Tensor incoming = at::empty_like(parts.front());  // the first part is a longest one
  for (int step = 0; step < size_ - 1; ++step) {
    at::Tensor& mine = parts[around(rank_ - step - 1)];
    const at::Tensor theirs = incoming.narrow(0, 0, mine.size(0));
    ring_->exchange(bytes_of(parts[around(rank_ - step)]), bytes_of(theirs));
    combine(mine, theirs, operation);
  }
  if (operation == c10d::ReduceOp::AVG) parts[around(rank_ + 1)].div_(size_);
  pass_around(parts, rank_ + 1);
}

// Sends part FIRST, which only this rank has, around the ring, and receives those of the others.
void TcpBackend::pass_around(const std::vector<at::Tensor>& parts, int first) {
  for (int step = 0; step < size_ - 1; ++step)
    ring_->exchange(bytes_of(parts[around(first - step)]), bytes_of(parts[around(first - step - 1)]));
}

// Returns NUMBER as that of a rank, of which the last is followed by the first.
std::size_t TcpBackend::around(int number) const {
  return static_cast<std::size_t>((number % size_ + size_) % size_);
}

// Each rank waits for its predecessor and then passes the tensor on.
void TcpBackend::spread(const at::Tensor& tensor, int root) {
  if (rank_ != root) ring_->exchange({}, bytes_of(tensor));
  if ((rank_ + 1) % size_ != root) ring_->exchange(bytes_of(tensor), {});
}

}  // namespace mpsbench::collective
