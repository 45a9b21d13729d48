#include "collective/gradient_buckets.hpp"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

#include <memory>

namespace mpsbench::collective {

class GradientBuckets::Hook final : public torch::autograd::PostAccumulateGradHook {
 public:
  Hook(GradientBuckets& buckets, std::size_t slot) : buckets_(&buckets), slot_(slot) {}
  void operator()(const at::Tensor& /*parameter*/) override { buckets_->take(slot_); }

 private:
  GradientBuckets* buckets_;
  std::size_t slot_;
};

GradientBuckets::GradientBuckets(Group& group, const std::vector<at::Tensor>& parameters,
                                 std::int64_t bucket_bytes)
    : group_(&group) {
  for (const at::Tensor& parameter : parameters) slots_.push_back({.parameter = parameter, .place = {}});
  std::vector<std::size_t> members;
  std::size_t bytes = 0;
  for (std::size_t slot = slots_.size(); slot-- > 0;) {  // the last layer's gradients come first
    const at::Tensor& parameter = slots_[slot].parameter;
    const bool fits = bytes + parameter.nbytes() <= static_cast<std::size_t>(bucket_bytes) &&
                      (members.empty() || slots_[members.front()].parameter.dtype() == parameter.dtype());
    if (!members.empty() && !fits) {
      make_bucket(members);
      members.clear();
      bytes = 0;
    }
    members.push_back(slot);
    bytes += parameter.nbytes();
  }
  if (!members.empty()) make_bucket(members);
  for (std::size_t slot = 0; slot < slots_.size(); ++slot)
    torch::autograd::impl::set_post_acc_grad_hooks(slots_[slot].parameter,
                                                   std::make_unique<Hook>(*this, slot));
}

GradientBuckets::~GradientBuckets() {
  for (const Slot& slot : slots_) torch::autograd::impl::set_post_acc_grad_hooks(slot.parameter, nullptr);
}

void GradientBuckets::make_bucket(const std::vector<std::size_t>& slots) {
  Bucket bucket{.memory = {}, .slots = slots, .missing = slots.size(), .average = {}};
  for (const std::size_t slot : slots) {
    slots_[slot].bucket = buckets_.size();
    bucket.bytes += static_cast<std::int64_t>(slots_[slot].parameter.nbytes());
  }
  if (!group_->averages_many()) {
    const at::Tensor& first = slots_[slots.front()].parameter;
    bucket.memory = at::zeros({bucket.bytes / static_cast<std::int64_t>(first.element_size())},
                              first.options().requires_grad(false));
    give_places(bucket);
  }
  buckets_.push_back(std::move(bucket));
}

void GradientBuckets::give_places(const Bucket& bucket) {
  std::int64_t begin = 0;
  for (const std::size_t slot : bucket.slots) {
    const at::Tensor& parameter = slots_[slot].parameter;
    slots_[slot].place = bucket.memory.as_strided(parameter.sizes(), parameter.strides(), begin);
    begin += parameter.numel();
  }
}

void GradientBuckets::take(std::size_t slot) {
  Slot& one = slots_[slot];
  if (!is_on_ || one.has_come) return;
  one.has_come = true;
  --buckets_[one.bucket].missing;
  for (; next_ < buckets_.size() && buckets_[next_].missing == 0; ++next_) begin(buckets_[next_]);
}

void GradientBuckets::begin(Bucket& bucket) {
  const at::NoGradGuard no_grad;
  if (bucket.memory.defined()) fill(bucket);
  std::vector<at::Tensor> tensors =
      bucket.memory.defined() ? std::vector{bucket.memory} : gradients_of(bucket);
  bucket.average = group_->average(tensors);
}

// Copies the gradients of a bucket into its memory.
void GradientBuckets::fill(const Bucket& bucket) {
  std::vector<at::Tensor> places;
  std::vector<at::Tensor> gradients;
  for (const std::size_t slot : bucket.slots) {
    const Slot& one = slots_[slot];
    const at::Tensor& gradient = one.parameter.grad();
    if (!gradient.defined()) {
      one.place.zero_();
    } else if (!gradient.is_same(one.place)) {
      places.push_back(one.place);
      gradients.push_back(gradient);
    }
  }
  if (!places.empty()) at::_foreach_copy_(places, gradients);
}

std::vector<at::Tensor> GradientBuckets::gradients_of(const Bucket& bucket) {
  std::vector<at::Tensor> gradients;
  for (const std::size_t slot : bucket.slots) {
    Slot& one = slots_[slot];
    const at::Tensor& gradient = one.parameter.grad();
    if (!gradient.defined() && !one.place.defined()) one.place = at::zeros_like(one.parameter);
    gradients.push_back(gradient.defined() ? gradient : one.place);
  }
  return gradients;
}

void GradientBuckets::finish() {
  if (!is_on_) return;
  for (std::size_t slot = slots_.size(); slot-- > 0;) take(slot);
  wait();
  for (Bucket& bucket : buckets_) bucket.missing = bucket.slots.size();
  for (Slot& slot : slots_) {
    slot.has_come = false;
    at::Tensor& gradient = slot.parameter.mutable_grad();
    if (gradient.defined() && buckets_[slot.bucket].memory.defined()) gradient = slot.place;
  }
  next_ = 0;
}

void GradientBuckets::wait() {
  for (const Bucket& bucket : buckets_) bucket.average->wait();
}

void GradientBuckets::average_again() {
  for (Bucket& bucket : buckets_) begin(bucket);
  wait();
}

std::int64_t GradientBuckets::bytes() const {
  std::int64_t sum = 0;
  for (const Bucket& bucket : buckets_) sum += bucket.bytes;
  return sum;
}

}  // namespace mpsbench::collective
