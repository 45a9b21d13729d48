// A backend of c10d for tensors on the CPU, over TCP between processes of one host. LibTorch contains one
// (Gloo), but not its headers.
#pragma once

#include "collective/ring.hpp"

#include <c10/util/intrusive_ptr.h>
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace mpsbench::collective {

// All operations are asynchronous: one thread runs them in the order of their calls, which must be the same
// on all ranks. Tensors must be contiguous and on the CPU, and a call takes one. After a sum, all ranks hold
// the same bits, because each element is added up on one rank only. A lost rank fails all operations from
// then on.
class TcpBackend final : public c10d::Backend {
 public:
  // Meets the other ranks through STORE. Throws as Ring does.
  TcpBackend(c10d::Store& store, int rank, int ranks, const RingPatience& patience = {});
  ~TcpBackend() override;

  const std::string getBackendName() const override { return "tcp"; }
  // Knows the operations sum, average and maximum.
  c10::intrusive_ptr<c10d::Work> allreduce(std::vector<at::Tensor>& tensors,
                                           const c10d::AllreduceOptions& options = {}) override;
  c10::intrusive_ptr<c10d::Work> broadcast(std::vector<at::Tensor>& tensors,
                                           const c10d::BroadcastOptions& options = {}) override;
  c10::intrusive_ptr<c10d::Work> barrier(const c10d::BarrierOptions& options = {}) override;

 private:
  class Task;

  c10::intrusive_ptr<c10d::Work> start(c10d::OpType type, std::function<void()> operation);
  void run_tasks();
  void reduce_around(const at::Tensor& tensor, c10d::ReduceOp::RedOpType operation);
  void spread(const at::Tensor& tensor, int root);

  RingPatience patience_;
  Ring ring_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<c10::intrusive_ptr<Task>> tasks_;
  bool is_ending_ = false;
  std::thread thread_;  // the last member, because it uses the others
};

}  // namespace mpsbench::collective
