#include "collective/gradient_buckets.hpp"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>
#include <memory>

namespace mpsbench::collective {
namespace {

std::int64_t usual_bucket_bytes(const std::vector<at::Tensor>& parameters) {
  constexpr std::int64_t kLeast = std::int64_t{25} << 20;
  std::int64_t bytes = 0;
  for (const at::Tensor& parameter : parameters) bytes += static_cast<std::int64_t>(parameter.nbytes());
  return std::max(kLeast, (3 * bytes + 7) / 8);
}

}  // namespace

class GradientBuckets::Hook final : public torch::autograd::PostAccumulateGradHook {
 public:
  Hook(GradientBuckets& buckets, std::size_t slot) : buckets_(&buckets), slot_(slot) {}
  void operator()(const at::Tensor& /*parameter*/) override { buckets_->take(slot_); }

 private:
  GradientBuckets* buckets_;
  std::size_t slot_;
};

GradientBuckets::GradientBuckets(Group& group, const std::vector<at::Tensor>& parameters, const BucketOptions& options)
    : group_(&group) {
  const auto most = static_cast<std::size_t>(options.bucket_bytes.value_or(usual_bucket_bytes(parameters)));
  const bool in_place = options.in_place && group.averages_many();
  for (const at::Tensor& parameter : parameters) slots_.push_back({.parameter = parameter, .place = {}});
  std::vector<std::size_t> members;
  std::size_t bytes = 0;
  for (std::size_t slot = slots_.size(); slot-- > 0;) {  // the last layer's gradients come first
    const at::Tensor& parameter = slots_[slot].parameter;
    const bool fits = bytes + parameter.nbytes() <= most &&
                      (members.empty() || slots_[members.front()].parameter.dtype() == parameter.dtype());
    if (!members.empty() && !fits) {
      make_bucket(members, in_place);
      members.clear();
      bytes = 0;
    }
    members.push_back(slot);
    bytes += parameter.nbytes();
  }
  if (!members.empty()) make_bucket(members, in_place);
  for (std::size_t slot = 0; slot < slots_.size(); ++slot)
    torch::autograd::impl::set_post_acc_grad_hooks(slots_[slot].parameter, std::make_unique<Hook>(*this, slot));
}

GradientBuckets::~GradientBuckets() {
  for (const Slot& slot : slots_) torch::autograd::impl::set_post_acc_grad_hooks(slot.parameter, nullptr);
}

void GradientBuckets::make_bucket(const std::vector<std::size_t>& slots, bool in_place) {
  Bucket bucket{.memory = {}, .slots = slots, .missing = slots.size(), .average = {}};
  for (const std::size_t slot : slots) {
    slots_[slot].bucket = buckets_.size();
    bucket.bytes += static_cast<std::int64_t>(slots_[slot].parameter.nbytes());
  }
  if (!in_place) {
    const at::Tensor& first = slots_[slots.front()].parameter;
    bucket.memory = at::zeros({bucket.bytes / static_cast<std::int64_t>(first.element_size())},
                              first.options().requires_grad(false));
    std::int64_t begin = 0;
    for (const std::size_t slot : slots) {
      const at::Tensor& parameter = slots_[slot].parameter;
      slots_[slot].place = bucket.memory.as_strided(parameter.sizes(), parameter.strides(), begin);
      begin += parameter.numel();
    }
  }
  buckets_.push_back(std::move(bucket));
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
  std::vector<at::Tensor> tensors = bucket.memory.defined() ? std::vector{bucket.memory} : gradients_of(bucket);
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
    if (!gradient.defined()) {  // what an earlier average left there does not count
      if (one.place.defined()) {
        one.place.zero_();
      } else {
        one.place = at::zeros_like(one.parameter);
      }
    }
    gradients.push_back(gradient.defined() ? gradient : one.place);
  }
  return gradients;
}

void GradientBuckets::finish_next() {
  if (!is_on_) return;
  if (next_to_finish_ == 0) {
    for (std::size_t slot = slots_.size(); slot-- > 0;) take(slot);
  }
  Bucket& bucket = buckets_[next_to_finish_];
  bucket.average->wait();
  bucket.missing = bucket.slots.size();
  for (const std::size_t slot : bucket.slots) {
    at::Tensor& gradient = slots_[slot].parameter.mutable_grad();
    if (bucket.memory.defined() && gradient.defined()) gradient = slots_[slot].place;
  }
  if (++next_to_finish_ < buckets_.size()) return;
  for (Slot& slot : slots_) slot.has_come = false;
  next_ = 0;
  next_to_finish_ = 0;
}

void GradientBuckets::average_again() {
  for (Bucket& bucket : buckets_) begin(bucket);
  for (const Bucket& bucket : buckets_) bucket.average->wait();
}

std::vector<std::vector<at::Tensor>> GradientBuckets::parameters() const {
  std::vector<std::vector<at::Tensor>> all;
  for (const Bucket& bucket : buckets_) {
    std::vector<at::Tensor>& some = all.emplace_back();
    for (const std::size_t slot : bucket.slots) some.push_back(slots_[slot].parameter);
  }
  return all;
}

std::int64_t GradientBuckets::bytes() const {
  std::int64_t sum = 0;
  for (const Bucket& bucket : buckets_) sum += bucket.bytes;
  return sum;
}

}  // namespace mpsbench::collective
