// The processes that run a launch together.
#pragma once

#include "collective/tcp_backend.hpp"
#include "measure/communication.hpp"
#include "schema/rank.hpp"

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/util/intrusive_ptr.h>
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mpsbench::collective {

struct GroupOptions {
  Patience patience{};
  std::string host = kLoopback;      // an address of this machine, to which the others can connect
  c10::Device device = c10::kCPU;    // where the member computes; CUDA devices are connected by NCCL
  std::optional<std::string> gpu{};  // the UUID of the member's GPU, which no other may have
  LostCall on_lost{};                // called by another thread if a neighbour is lost that nothing waits for
};

// Every member takes part in every call. A lost member makes all calls throw.
class Group final : public measure::Agreement {
 public:
  // Meets the other members through STORE. Throws Error(usage) if another member has the same GPU,
  // Error(incomplete) if one does not come in time, and what open_nccl throws.
  Group(c10::intrusive_ptr<c10d::Store> store, int rank, int ranks, const GroupOptions& options = {});

  [[nodiscard]] int rank() const { return host_->getRank(); }
  [[nodiscard]] int ranks() const { return host_->getSize(); }

  // All tensors must be on the member's device.
  void copy_from_first(const at::Tensor& tensor);
  // Begins to replace the values of TENSORS by their mean over all members. It must be one contiguous tensor,
  // unless the group averages many.
  [[nodiscard]] c10::intrusive_ptr<c10d::Work> average(std::vector<at::Tensor>& tensors);
  // Whether one call of average() takes many dense tensors where they are.
  [[nodiscard]] bool averages_many() const { return device_ != nullptr; }
  void take_largest(std::span<double> numbers) override;
  [[nodiscard]] bool shares_clock() const override { return shares_clock_; }
  // Whether TENSORS have the same bits on all members.
  [[nodiscard]] bool are_equal(const std::vector<at::Tensor>& tensors);
  // Call this when the members have agreed for the last time, so that those that end are not taken for lost.
  void stop_watching() { host_->stop_watching(); }
  [[nodiscard]] c10d::Backend& backend() { return device_ != nullptr ? *device_ : static_cast<c10d::Backend&>(*host_); }

 private:
  [[nodiscard]] bool have_same(const std::string& sha256);

  c10::intrusive_ptr<c10d::Store> store_;  // others may still need it when this member has met its neighbours
  c10::intrusive_ptr<TcpBackend> host_;
  std::shared_ptr<c10d::Backend> device_;  // of tensors on the device; null on the CPU
  bool shares_clock_ = false;
};

// Meets the other processes at the group's address. Throws like the constructor.
[[nodiscard]] std::unique_ptr<Group> meet(const schema::GroupPlace& place, const c10::Device& device,
                                          std::optional<std::string> gpu, LostCall on_lost);

// Connects DEVICE, a CUDA device that is open, by NCCL with those of the other ranks, which all call this. Operations
// are queued on a stream of NCCL's own: wait() makes the current stream wait for them, not the host. Throws
// Error(no_device) if this build has no NCCL, and c10::Error if the devices cannot be connected.
[[nodiscard]] std::shared_ptr<c10d::Backend> open_nccl(const c10::intrusive_ptr<c10d::Store>& store, int rank,
                                                       int ranks, const c10::Device& device);

}  // namespace mpsbench::collective
