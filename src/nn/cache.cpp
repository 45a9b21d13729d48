#include "nn/cache.hpp"

#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>

namespace mpsbench::nn {

namespace {

c10::ScalarType kept_type(const at::Tensor& x) {
  const c10::DeviceType device = x.device().type();
  return at::autocast::is_autocast_enabled(device) ? at::autocast::get_autocast_dtype(device) : x.scalar_type();
}

at::Tensor allocate(const at::Tensor& like, std::int64_t capacity) {
  return at::empty({like.size(0), like.size(1), capacity, like.size(3)}, like.options().dtype(kept_type(like)));
}

}  // namespace

Cache::Entry Cache::append(const std::string& name, const at::Tensor& keys, const at::Tensor& values) {
  Entry& entry = layers_[name];
  if (!entry.keys.defined()) entry = {allocate(keys, capacity_), allocate(values, capacity_)};
  const std::int64_t length = keys.size(2);
  entry.keys.narrow(2, position_, length).copy_(keys);
  entry.values.narrow(2, position_, length).copy_(values);
  return {entry.keys.narrow(2, 0, position_ + length), entry.values.narrow(2, 0, position_ + length)};
}

}  // namespace mpsbench::nn
