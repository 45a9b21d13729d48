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
  for (const at::Tensor& parameter : parameters) slots_.push_back({.parameter = parameter, .gradient = {}});
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
  std::int64_t elements = 0;
  for (const std::size_t slot : slots) elements += slots_[slot].parameter.numel();
  Bucket bucket{
      .memory = at::zeros({elements}, slots_[slots.front()].parameter.options().requires_grad(false)),
      .missing = slots.size(),
      .gradients = slots.size(),
      .average = {}};
  std::int64_t begin = 0;
  for (const std::size_t slot : slots) {
    const at::Tensor& parameter = slots_[slot].parameter;
    slots_[slot].gradient = bucket.memory.as_strided(parameter.sizes(), parameter.strides(), begin);
    slots_[slot].bucket = buckets_.size();
    begin += parameter.numel();
  }
  buckets_.push_back(std::move(bucket));
}

void GradientBuckets::take(std::size_t slot) {
  Slot& one = slots_[slot];
  if (one.has_come) return;
  const at::NoGradGuard no_grad;
  if (const at::Tensor& gradient = one.parameter.grad(); gradient.defined()) {
    if (!gradient.is_same(one.gradient)) one.gradient.copy_(gradient);
  } else {
    one.gradient.zero_();
  }
  one.has_come = true;
  --buckets_[one.bucket].missing;
  begin_averages();
}

void GradientBuckets::begin_averages() {
  for (; next_ < buckets_.size() && buckets_[next_].missing == 0; ++next_)
    buckets_[next_].average = group_->average(buckets_[next_].memory);
}

void GradientBuckets::finish() {
  for (std::size_t slot = slots_.size(); slot-- > 0;) take(slot);
  for (Bucket& bucket : buckets_) {
    bucket.average->wait();
    bucket.missing = bucket.gradients;
  }
  for (Slot& slot : slots_) {
    at::Tensor& gradient = slot.parameter.mutable_grad();
    if (gradient.defined()) gradient = slot.gradient;
    slot.has_come = false;
  }
  next_ = 0;
}

}  // namespace mpsbench::collective
