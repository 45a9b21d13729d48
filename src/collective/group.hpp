// The processes that run a launch together.
#pragma once

#include "collective/ring.hpp"
#include "measure/agreement.hpp"
#include "schema/group_place.hpp"

#include <ATen/core/Tensor.h>
#include <c10/util/intrusive_ptr.h>
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include <memory>
#include <span>
#include <vector>

namespace mpsbench::collective {

// Every member takes part in every call. A lost member makes all calls throw.
class Group final : public measure::Agreement {
 public:
  // Meets the other members through STORE. Throws Error(incomplete) if one does not come in time.
  Group(c10::intrusive_ptr<c10d::Store> store, int rank, int ranks, const RingPatience& patience = {});

  [[nodiscard]] int rank() const { return backend_->getRank(); }
  [[nodiscard]] int ranks() const { return backend_->getSize(); }

  // Gives TENSOR the values that it has on rank 0.
  void copy_from_first(const at::Tensor& tensor);
  // Begins to replace the values of TENSOR, which must be contiguous, by their mean over all members.
  [[nodiscard]] c10::intrusive_ptr<c10d::Work> average(at::Tensor& tensor);
  void take_largest(std::span<double> numbers) override;
  // Whether TENSORS have the same bits on all members.
  [[nodiscard]] bool are_equal(const std::vector<at::Tensor>& tensors);

 private:
  c10::intrusive_ptr<c10d::Store> store_;  // others may still need it when this member has met its neighbours
  c10::intrusive_ptr<c10d::Backend> backend_;
};

// Meets the other processes at the group's address. Throws like the constructor.
[[nodiscard]] std::unique_ptr<Group> meet(const schema::GroupPlace& place);

}  // namespace mpsbench::collective
