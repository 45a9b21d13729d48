// The layers at run time, by the names of their types.
#pragma once

#include "schema/network_plan.hpp"

#include <ATen/core/Tensor.h>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mpsbench::nn {

// A layer at run time: a function from inputs to output. It is made once, from a node of the plan.

// The inputs of a layer. They stay in the network's slots, so a call copies nothing.
class Inputs {
 public:
  Inputs(std::vector<at::Tensor>& slots, std::span<const int> indices) : slots_(&slots), indices_(indices) {}

  [[nodiscard]] std::size_t size() const { return indices_.size(); }
  [[nodiscard]] at::Tensor& operator[](std::size_t i) const { return (*slots_)[static_cast<std::size_t>(indices_[i])]; }

 private:
  std::vector<at::Tensor>* slots_;
  std::span<const int> indices_;
};

using Forward = std::function<at::Tensor(const Inputs&)>;

// What a factory may read: the options (checked by the front), the tensors by role, and whether the network
// trains.
class Node {
 public:
  Node(const schema::NetworkNode& plan, std::vector<at::Tensor> tensors, bool training, bool drops_out);

  [[nodiscard]] bool training() const { return training_; }
  // Whether dropout works.
  [[nodiscard]] bool drops_out() const { return drops_out_; }
  [[nodiscard]] const schema::NetworkNode& plan() const { return *plan_; }
  // Returns an undefined tensor if the layer has no tensor of that role, such as a convolution without bias.
  [[nodiscard]] at::Tensor tensor(const std::string& role) const;
  [[nodiscard]] std::optional<at::Tensor> optional_tensor(const std::string& role) const;

  [[nodiscard]] std::int64_t integer(const std::string& option) const;
  [[nodiscard]] double number(const std::string& option) const;
  [[nodiscard]] bool flag(const std::string& option) const;
  [[nodiscard]] std::string text(const std::string& option) const;
  [[nodiscard]] std::vector<std::int64_t> integers(const std::string& option) const;

 private:
  [[nodiscard]] const nlohmann::json& option(const std::string& name) const;

  const schema::NetworkNode* plan_;
  std::vector<at::Tensor> tensors_;
  bool training_;
  bool drops_out_;
};

// The worker's layer types, by name.

// Throws Error(usage) if this worker does not know the type.
[[nodiscard]] Forward make_forward(const Node& node);

// Returns all types, sorted. A test compares them with those of src/model; only torchscript is missing here,
// because it is a separate nn::Model.
[[nodiscard]] std::vector<std::string> layer_types();

// Each family has one table; registry.cpp joins them.
using Factory = Forward (*)(const Node&);
struct LayerFactory {
  const char* name;
  Factory make;
};
[[nodiscard]] std::span<const LayerFactory> activation_layers();
[[nodiscard]] std::span<const LayerFactory> arithmetic_layers();
[[nodiscard]] std::span<const LayerFactory> attention_layers();
[[nodiscard]] std::span<const LayerFactory> conv_layers();
[[nodiscard]] std::span<const LayerFactory> norm_layers();
[[nodiscard]] std::span<const LayerFactory> shape_layers();

}  // namespace mpsbench::nn
