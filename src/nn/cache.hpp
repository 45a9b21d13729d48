// The keys and values of positions that a network has read, so that it need not read them again for the next token.
#pragma once

#include "schema/network_plan.hpp"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace mpsbench::nn {

// Who moves to the next position. Work that is captured or compiled once for all positions cannot ask the host.
enum class Positions { of_host, of_device };

class Cache {
 public:
  // For CAPACITY positions of ROWS sequences of PLAN's network, in the type and on the device of OPTIONS.
  Cache(const schema::NetworkPlan& plan, std::int64_t rows, std::int64_t capacity, const at::TensorOptions& options,
        Positions positions);
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  [[nodiscard]] std::int64_t capacity() const { return capacity_; }
  // How many positions have been read. The inputs of the next forward pass follow them.
  [[nodiscard]] std::int64_t position() const { return position_; }
  // The next forward pass begins at POSITION; what was written before it stays.
  void set_position(std::int64_t position);
  // The next forward pass begins one position later.
  void advance();

  // The position as a number on the device, [1]. Undefined if the host counts.
  [[nodiscard]] const at::Tensor& place() const { return place_; }
  // Whether LENGTH inputs are one token at place(), and not inputs from position() on.
  [[nodiscard]] bool is_at_place(std::int64_t length) const { return length == 1 && place_.defined(); }
  // What to add to the scores of a query at place(), [allocated positions]: 0, or minus infinity for a position that it
  // does not see: later ones and those WINDOW or more before it. WINDOW 0: no limit.
  [[nodiscard]] const at::Tensor& bias(std::int64_t window);
  // The row of TABLE, which lives as long as this, at place(): [1, columns]. All layers share it.
  [[nodiscard]] const at::Tensor& row_at_place(const at::Tensor& table);

  // The tensors of one layer: [rows, heads, allocated positions, size].
  struct Entry {
    at::Tensor keys, values;
  };
  [[nodiscard]] const Entry& of_layer(const std::string& name) const { return layers_.at(name); }
  // Those of all layers in the plan's order: keys, values, keys, ...
  [[nodiscard]] std::vector<at::Tensor> tensors() const;

 private:
  void move_to(std::int64_t position);

  std::int64_t capacity_;
  std::int64_t position_ = 0;
  at::Tensor place_;
  at::Tensor positions_;  // 0, 1, ...
  // Of this position, by window and by table.
  std::map<std::int64_t, at::Tensor> biases_;
  std::map<const c10::TensorImpl*, at::Tensor> rows_;
  std::vector<std::string> order_;
  std::map<std::string, Entry> layers_;
};

}  // namespace mpsbench::nn
