// A network ready to instantiate: a flat list of layers over numbered slots, with every shape, parameter and
// count worked out. Made by model/ without LibTorch, sent to the worker, instantiated by nn/.
#pragma once

#include "base/json_reader.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::schema {

using Shape = std::vector<std::int64_t>;  // with the batch as dimension 0

[[nodiscard]] std::string to_string(const Shape& shape);

struct NetworkInput {
  std::string name;
  std::string dtype;  // "float32" or "int64"
  Shape shape;
  std::string fill;       // "normal", "uniform", "integers" (0 ... high-1), "zeros", "ones"
  std::int64_t high = 0;  // of "integers"
};

// How a parameter is drawn: "zeros", "ones", "normal" (std), "uniform" (-bound ... bound); buffers likewise.
struct NetworkTensor {
  std::string name;  // as in the state dict: "features.0.weight"
  std::string role;  // the layer's own name for it: "weight", "bias", "running_mean", ...
  std::string dtype = "float32";
  Shape shape;
  bool trainable = true;  // false: a buffer
  std::string init;
  double scale = 0;                      // std or bound
  std::optional<std::int64_t> zero_row;  // row set to zero after drawing (padding_idx)
};

struct NetworkNode {
  std::string name;
  std::string type;
  nlohmann::json options = nlohmann::json::object();  // every option of the type, defaults filled in
  std::vector<int> inputs;                            // slots
  int output = 0;                                     // slot
  std::vector<int> release;                           // slots whose last use is this layer
  std::vector<NetworkTensor> tensors;
  Shape shape;                     // of the output
  std::int64_t forward_macs = 0;   // multiply-accumulates of the whole batch
  std::int64_t backward_macs = 0;  // likewise, of its backward pass
};

struct NetworkPlan {
  std::string model;
  std::vector<NetworkInput> inputs;  // slots 0 ... inputs-1
  std::vector<NetworkNode> nodes;
  int slots = 0;
  int output = 0;  // slot of the logits
  std::string loss;
  Shape target_shape;            // [batch] of class numbers, or the logits' shape for bce_with_logits and mse
  std::string target_dtype;      // "int64" or "float32"
  std::int64_t target_high = 0;  // class numbers are 0 ... high-1
  std::int64_t parameters = 0;
  std::int64_t trainable_parameters = 0;
  std::int64_t forward_macs = 0;
  std::int64_t backward_macs = 0;
  std::int64_t parameter_bytes = 0;
  std::int64_t input_bytes = 0;
  std::int64_t activation_bytes = 0;  // in fp32, that training keeps for the backward pass at least
};

// An option of padding_mask layers that case_network_plan sets: the texts come from files, so most are
// padded.
inline constexpr const char* kPaddedTexts = "padded_texts";

// The layer type of a user's TorchScript file, of which the plan knows inputs and output only.
inline constexpr const char* kScriptLayer = "torchscript";
// Whether PLAN has such a layer: then its counts are unknown.
[[nodiscard]] bool runs_script(const NetworkPlan& plan);

// 2 FLOP a multiply-accumulate; batch norm, activations, pooling and biases are not counted.
[[nodiscard]] std::int64_t flops_per_step(const NetworkPlan& plan, bool train);

[[nodiscard]] nlohmann::json to_json(const NetworkPlan& plan);
[[nodiscard]] NetworkPlan read_network_plan(base::Reader reader);

}  // namespace mpsbench::schema
