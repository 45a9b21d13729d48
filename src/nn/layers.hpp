// The layers at run time, by the names of their types.
#pragma once

#include "nn/cache.hpp"
#include "schema/network_plan.hpp"

#include <ATen/core/Tensor.h>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mpsbench::nn {

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

// A layer at run time: a function from inputs to output. It is made once, from a node of the plan.
using Forward = std::function<at::Tensor(const Inputs&)>;

// What a layer may read when it is made: the options (checked by the front), the tensors by role, and how the
// network runs.
class Node {
 public:
  // CACHE is null unless the network generates.
  Node(const schema::NetworkNode& plan, std::vector<at::Tensor> tensors, bool training, bool drops_out,
       Cache* cache = nullptr)
      : plan_(&plan), tensors_(std::move(tensors)), training_(training), drops_out_(drops_out), cache_(cache) {}

  [[nodiscard]] bool training() const { return training_; }
  // Whether dropout works.
  [[nodiscard]] bool drops_out() const { return drops_out_; }
  [[nodiscard]] Cache* cache() const { return cache_; }
  [[nodiscard]] const schema::NetworkNode& plan() const { return *plan_; }
  // Returns an undefined tensor if the layer has no tensor of that role, such as a convolution without bias.
  [[nodiscard]] at::Tensor tensor(const std::string& role) const;
  [[nodiscard]] std::optional<at::Tensor> optional_tensor(const std::string& role) const;
  // Of a quantized weight, which come after the plan's tensors; undefined if the weight is not quantized.
  [[nodiscard]] at::Tensor scales() const {
    return tensors_.size() > plan_->tensors.size() ? tensors_.back() : at::Tensor();
  }

  // Throws Error(usage) if the plan lacks the option.
  template <typename Value>
  [[nodiscard]] Value option(const std::string& name) const {
    return json_option(name).get<Value>();
  }
  [[nodiscard]] std::int64_t integer(const std::string& name) const { return option<std::int64_t>(name); }
  [[nodiscard]] double number(const std::string& name) const { return option<double>(name); }
  [[nodiscard]] std::optional<double> optional_number(const std::string& name) const {
    return json_option(name).is_null() ? std::nullopt : std::optional(number(name));
  }
  [[nodiscard]] bool flag(const std::string& name) const { return option<bool>(name); }
  [[nodiscard]] std::vector<std::int64_t> integers(const std::string& name) const {
    return option<std::vector<std::int64_t>>(name);
  }

 private:
  [[nodiscard]] const nlohmann::json& json_option(const std::string& name) const;

  const schema::NetworkNode* plan_;
  std::vector<at::Tensor> tensors_;
  bool training_;
  bool drops_out_;
  Cache* cache_;
};

// Throws Error(usage) if this worker does not know the type.
[[nodiscard]] Forward make_forward(const Node& node);

// Returns all types, sorted. A test compares them with those of src/model; only model files are missing here,
// because each is a separate nn::Model.
[[nodiscard]] std::vector<std::string> layer_types();

}  // namespace mpsbench::nn
