// The keys and values of positions that a network has read, so that it need not read them again for the next token.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace mpsbench::nn {

class Cache {
 public:
  // CAPACITY: positions. Memory is taken when a layer first writes.
  explicit Cache(std::int64_t capacity) : capacity_(capacity) {}
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  [[nodiscard]] std::int64_t capacity() const { return capacity_; }
  // How many positions have been read. The inputs of the next forward pass follow them.
  [[nodiscard]] std::int64_t position() const { return position_; }
  // The next forward pass begins at POSITION; what was written before it stays.
  void set_position(std::int64_t position) { position_ = position; }

  // The tensors of one layer.
  struct Entry {
    at::Tensor keys, values;
  };
  // Writes KEYS and VALUES, [batch, heads, length, size], at position() into the tensors of the layer NAME. Returns
  // those of all positions up to their last. Under autocast they are kept in its type.
  [[nodiscard]] Entry append(const std::string& name, const at::Tensor& keys, const at::Tensor& values);

 private:
  std::int64_t capacity_;
  std::int64_t position_ = 0;
  std::map<std::string, Entry> layers_;
};

}  // namespace mpsbench::nn
