// A backend of c10d for tensors on the CPU, over TCP. LibTorch contains one
// (Gloo), but not its headers.
#pragma once

#include "collective/ring.hpp"

#include <c10/util/intrusive_ptr.h>
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace mpsbench::collective {

// Gets the reason why a rank is lost.
using LostCall = std::function<void(const std::string&)>;

// All operations are asynchronous: one thread runs them in the order of their calls, which must be the same on all
// ranks. Tensors must be contiguous and on the CPU, and a call takes one. After a sum, all ranks hold the same bits,
// because each element is added up on one rank only. A lost rank fails all operations from then on.
class TcpBackend final : public c10d::Backend {
 public:
  // Meets the other ranks through STORE. The backend's thread calls ON_LOST, which may be empty, once if the
  // previous rank falls silent while there is no operation, which would fail. Throws as open_ring does.
  TcpBackend(c10d::Store& store, int rank, int ranks, const Patience& patience = {},
             const std::string& host = kLoopback, LostCall on_lost = {});
  ~TcpBackend() override;

  const std::string getBackendName() const override { return "tcp"; }
  // Knows the operations sum, average and maximum.
  c10::intrusive_ptr<c10d::Work> allreduce(std::vector<at::Tensor>& tensors,
                                           const c10d::AllreduceOptions& options = {}) override;
  c10::intrusive_ptr<c10d::Work> broadcast(std::vector<at::Tensor>& tensors,
                                           const c10d::BroadcastOptions& options = {}) override;
  // OUTPUT has one part for each rank, as large as INPUT.
  c10::intrusive_ptr<c10d::Work> _allgather_base(at::Tensor& output, at::Tensor& input,
                                                 const c10d::AllgatherOptions& options = {}) override;
  void stop_watching();

 private:
  class Task;

  c10::intrusive_ptr<c10d::Work> start(c10d::OpType type, std::function<void()> operation);
  void run_tasks();
  void watch();
  void reduce_around(const at::Tensor& tensor, c10d::ReduceOp::RedOpType operation);
  void pass_around(const std::vector<at::Tensor>& parts, int first);
  [[nodiscard]] std::size_t around(int number) const;
  void spread(const at::Tensor& tensor, int root);

  Patience patience_;
  std::unique_ptr<Ring> ring_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<c10::intrusive_ptr<Task>> tasks_;
  bool is_ending_ = false;
  LostCall on_lost_;    // empty: nobody watches
  std::thread thread_;  // the last member, because it uses the others
};

}  // namespace mpsbench::collective
