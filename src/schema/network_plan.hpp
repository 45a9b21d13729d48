// A network ready to instantiate: a flat list of layers over numbered slots, with all shapes, parameters and
// counts. model/ makes it without LibTorch, the front sends it to the worker, and nn/ instantiates it.
#pragma once

#include "base/json_reader.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::schema {

using Shape = std::vector<std::int64_t>;  // dimension 0 is the batch

[[nodiscard]] std::string to_string(const Shape& shape);

struct NetworkInput {
  std::string name;
  std::string dtype;  // "float32" or "int64"
  Shape shape;
  std::string fill;       // "normal", "uniform", "integers" (0 ... high-1), "zeros" or "ones"
  std::int64_t high = 0;  // only for "integers"
};

// A parameter or buffer. Its init is "zeros", "ones", "normal" (scale is the standard deviation) or "uniform"
// (from -scale to scale).
struct NetworkTensor {
  std::string name;  // name in the state dict: "features.0.weight"
  std::string role;  // name within the layer: "weight", "bias", "running_mean", ...
  std::string dtype = "float32";
  Shape shape;
  bool trainable = true;  // false: a buffer
  std::string init;
  double scale = 0;                      // standard deviation or bound
  std::optional<std::int64_t> zero_row;  // row that is set to zero after drawing (padding_idx)
};

struct NetworkNode {
  std::string name;
  std::string type;
  nlohmann::json options = nlohmann::json::object();  // all options of the type, with defaults filled in
  std::vector<int> inputs;                            // slot numbers
  int output = 0;                                     // slot number
  std::vector<int> release;                           // slots that no later layer reads
  std::vector<NetworkTensor> tensors;
  Shape shape;                     // shape of the output
  std::int64_t forward_macs = 0;   // multiply-accumulates of the forward pass, for the whole batch
  std::int64_t backward_macs = 0;  // multiply-accumulates of the backward pass
};

struct NetworkPlan {
  std::string model;
  std::vector<NetworkInput> inputs;  // they take the first slots, from 0 on
  std::vector<NetworkNode> nodes;
  int slots = 0;
  int output = 0;  // slot of the logits
  std::string loss;
  Shape target_shape;            // [batch] for class numbers; the logits' shape for bce_with_logits and mse
  std::string target_dtype;      // "int64" or "float32"
  std::int64_t target_high = 0;  // class numbers are 0 ... high-1
  std::int64_t parameters = 0;
  std::int64_t trainable_parameters = 0;
  std::int64_t forward_macs = 0;
  std::int64_t backward_macs = 0;
  std::int64_t parameter_bytes = 0;
  std::int64_t input_bytes = 0;
  std::int64_t activation_bytes = 0;  // minimum that training keeps for the backward pass, in fp32
};

// An option of padding_mask layers. case_network_plan sets it if texts come from files, of which most are
// padded, and if the mask's input is not filled with ones. Without it, packages have no mask.
inline constexpr const char* kMayHavePadding = "may_have_padding";

// The layer types of a user's model file: TorchScript or a package by AOTInductor. The plan knows only its
// inputs and its output.
inline constexpr const char* kScriptLayer = "torchscript";
inline constexpr const char* kPackageLayer = "aotinductor";
// Whether PLAN has such a layer. If it has, its counts are unknown.
[[nodiscard]] bool runs_model_file(const NetworkPlan& plan);
[[nodiscard]] bool runs_package_file(const NetworkPlan& plan);

// Counts 2 FLOP per multiply-accumulate. Batch norm, activations, pooling and biases are not counted.
[[nodiscard]] std::int64_t flops_per_step(const NetworkPlan& plan, bool train);

[[nodiscard]] nlohmann::json to_json(const NetworkPlan& plan);
[[nodiscard]] NetworkPlan read_network_plan(base::Reader reader);

}  // namespace mpsbench::schema
