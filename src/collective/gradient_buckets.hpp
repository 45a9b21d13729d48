// Averages gradients over the processes of a group while the backward pass still computes others.
#pragma once

#include "collective/group.hpp"

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mpsbench::collective {

inline constexpr std::int64_t kBucketBytes = std::int64_t{25} << 20;

// Gradients that the backward pass computes one after the other share a bucket. As soon as a bucket is full,
// its average is begun.
class GradientBuckets {
 public:
  // PARAMETERS are those that train, in the network's order. From now on, autograd gives each of their
  // gradients to this object, which must outlive the last backward pass. GROUP must outlive this object. A
  // bucket holds at most BUCKET_BYTES, or one larger gradient.
  GradientBuckets(Group& group, const std::vector<at::Tensor>& parameters,
                  std::int64_t bucket_bytes = kBucketBytes);
  ~GradientBuckets();
  GradientBuckets(const GradientBuckets&) = delete;
  GradientBuckets& operator=(const GradientBuckets&) = delete;

  // Call this after each backward pass. Takes the gradients that did not come from autograd, waits for all
  // averages, and replaces the gradients by them. A parameter that has no gradient on any rank gets none.
  void finish();

  [[nodiscard]] std::size_t count() const { return buckets_.size(); }

 private:
  class Hook;
  struct Bucket {
    at::Tensor memory;
    std::size_t missing = 0;  // gradients that have not come yet
    std::size_t gradients = 0;
    c10::intrusive_ptr<c10d::Work> average;
  };
  struct Slot {
    at::Tensor parameter;
    at::Tensor gradient;  // its part of the bucket's memory, in the parameter's strides
    std::size_t bucket = 0;
    bool has_come = false;
  };

  void make_bucket(const std::vector<std::size_t>& slots);
  void take(std::size_t slot);
  void begin_averages();

  Group* group_;
  std::vector<Slot> slots_;      // in the order of the parameters
  std::vector<Bucket> buckets_;  // in the order in which they are averaged, the same on all ranks
  std::size_t next_ = 0;         // the first bucket whose average has not begun
};

}  // namespace mpsbench::collective
