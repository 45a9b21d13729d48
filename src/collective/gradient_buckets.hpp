// Averages gradients over the processes of a group while the backward pass still computes others.
#pragma once

#include "collective/group.hpp"

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace mpsbench::collective {

struct BucketOptions {
  // A bucket holds at most as many, or one larger gradient. Null: three eighths of all bytes, but at least 25 MiB,
  // which makes about three buckets. Each average costs time of its own, and three are enough to begin early.
  std::optional<std::int64_t> bucket_bytes{};
  // Averages gradients where they are, if the group can. This saves a copy on the device, but costs the host
  // more, because each gradient is an operation of its own.
  bool in_place = false;
};

// Gradients that the backward pass computes one after the other share a bucket. As soon as a bucket is full,
// its average is begun.
class GradientBuckets {
 public:
  // PARAMETERS are those that train, in the network's order. From now on, autograd gives each of their
  // gradients to this object, which must outlive the last backward pass. GROUP must outlive this object.
  GradientBuckets(Group& group, const std::vector<at::Tensor>& parameters, const BucketOptions& options = {});
  ~GradientBuckets();
  GradientBuckets(const GradientBuckets&) = delete;
  GradientBuckets& operator=(const GradientBuckets&) = delete;

  // Call this after each backward pass, once for each bucket. Takes the gradients that did not come from
  // autograd, waits for the average of the next bucket, and replaces its gradients by it. A parameter that
  // has no gradient on any rank gets none.
  void finish_next();

  // Off, the gradients stay those of this process.
  void turn(bool on) { is_on_ = on; }
  // Averages the gradients of the last backward pass again, and waits for it.
  void average_again();

  [[nodiscard]] std::size_t count() const { return buckets_.size(); }
  // Returns the parameters of each bucket, in the order of the buckets.
  [[nodiscard]] std::vector<std::vector<at::Tensor>> parameters() const;
  [[nodiscard]] std::int64_t bytes() const;

 private:
  class Hook;
  struct Bucket {
    at::Tensor memory;  // undefined if gradients are averaged where they are
    std::vector<std::size_t> slots;
    std::int64_t bytes = 0;
    std::size_t missing = 0;  // gradients that have not come yet
    c10::intrusive_ptr<c10d::Work> average;
  };
  struct Slot {
    at::Tensor parameter;
    at::Tensor place;  // its part of the bucket's memory, in the parameter's strides; else zeros, if needed
    std::size_t bucket = 0;
    bool has_come = false;
  };

  void make_bucket(const std::vector<std::size_t>& slots, bool in_place);
  void take(std::size_t slot);
  void fill(const Bucket& bucket);
  [[nodiscard]] std::vector<at::Tensor> gradients_of(const Bucket& bucket);
  void begin(Bucket& bucket);

  Group* group_;
  std::vector<Slot> slots_;      // in the order of the parameters
  std::vector<Bucket> buckets_;  // in the order in which they are averaged, the same on all ranks
  std::size_t next_ = 0;         // the first bucket whose average has not begun
  std::size_t next_to_finish_ = 0;
  bool is_on_ = true;
};

}  // namespace mpsbench::collective
