// A network ready to instantiate: a flat list of layers over numbered slots, with all shapes, parameters and
// counts. model/ makes it without LibTorch, the front sends it to the worker, and nn/ instantiates it.
#pragma once

#include "schema/field_json.hpp"
#include "schema/mode.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::schema {

// The element types of a network's tensors.
enum class DType { float32, int64, boolean };

struct DTypeRow {
  DType value;
  std::string_view name;  // LibTorch's
  std::int64_t bytes;
  bool is_input;               // a network's inputs can have it
  std::int64_t most_high = 0;  // inputs may have the numbers from 0 to below this; 0: they have fractions
};

template <>
struct ClosedSet<DType> {
  static constexpr const char* kWhat = "dtype";
  static constexpr std::array kRows{DTypeRow{DType::float32, "float32", 4, true},
                                    DTypeRow{DType::int64, "int64", 8, true, 2'147'483'647},
                                    DTypeRow{DType::boolean, "bool", 1, false}};
};

using Shape = std::vector<std::int64_t>;  // dimension 0 is the batch

[[nodiscard]] std::string to_string(const Shape& shape);

struct NetworkInput {
  std::string name;
  DType dtype{};
  Shape shape;
  std::string fill;       // "normal", "uniform", "integers" (0 ... high-1), "zeros" or "ones"
  std::int64_t high = 0;  // only for "integers"
};

template <>
inline constexpr auto kFields<NetworkInput> = members<&NetworkInput::name, &NetworkInput::dtype, &NetworkInput::shape,
                                                      &NetworkInput::fill, &NetworkInput::high>();

// How a weight is stored in whole numbers: of BITS, of which GROUP in a row share a scale.
struct Quantization {
  std::int64_t bits = 0;
  std::int64_t group = 0;
};

template <>
inline constexpr auto kFields<Quantization> = members<&Quantization::bits, &Quantization::group>();

// A parameter or buffer. Its init is "zeros", "ones", "normal" (scale is the standard deviation), "uniform"
// (from -scale to scale) or "constant" (scale).
struct NetworkTensor {
  std::string name;  // name in the state dict: "features.0.weight"
  std::string role;  // name within the layer: "weight", "bias", "running_mean", ...
  DType dtype{};
  Shape shape;
  bool trainable = true;  // false: a buffer, or it is frozen
  std::string init;
  double scale = 0;                      // standard deviation, bound or value
  std::optional<std::int64_t> zero_row;  // row that is set to zero after drawing (padding_idx)
  bool is_shared = false;                // it is an earlier layer's tensor, and has its name
  std::optional<Quantization> quantized;
};

template <>
inline constexpr auto kFields<NetworkTensor> =
    table(field<&NetworkTensor::name>(), field<&NetworkTensor::role>(), field<&NetworkTensor::dtype>(),
          field<&NetworkTensor::shape>(), field<&NetworkTensor::trainable>(), field<&NetworkTensor::init>(),
          field<&NetworkTensor::scale>(), field<&NetworkTensor::zero_row>({.is_absent_when_empty = true}),
          field<&NetworkTensor::is_shared>(), field<&NetworkTensor::quantized>({.is_absent_when_empty = true}));

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

template <>
inline constexpr auto kFields<NetworkNode> =
    members<&NetworkNode::name, &NetworkNode::type, &NetworkNode::options, &NetworkNode::inputs, &NetworkNode::output,
            &NetworkNode::release, &NetworkNode::tensors, &NetworkNode::shape, &NetworkNode::forward_macs,
            &NetworkNode::backward_macs>();

// An output whose loss is added to that of the logits.
struct AuxiliaryOutput {
  int slot = 0;
  double factor = 0;  // of its loss
};

template <>
inline constexpr auto kFields<AuxiliaryOutput> = members<&AuxiliaryOutput::slot, &AuxiliaryOutput::factor>();

// The keys and values that a network keeps of the positions that it has read.
struct KeyValueCache {
  std::int64_t filled = 0;     // positions before those of the inputs
  std::int64_t capacity = 0;   // positions in all
  std::int64_t allocated = 0;  // allocated_positions(capacity)
  std::int64_t elements = 0;   // of a position: of all layers and rows of the batch
};

// Kernels of GPUs take products of a multiple of 16 positions several times as fast as others.
[[nodiscard]] constexpr std::int64_t allocated_positions(std::int64_t capacity) {
  return (capacity + 15) / 16 * 16;
}

template <>
inline constexpr auto kFields<KeyValueCache> =
    members<&KeyValueCache::filled, &KeyValueCache::capacity, &KeyValueCache::allocated, &KeyValueCache::elements>();

struct NetworkPlan {
  std::string model;
  std::vector<NetworkInput> inputs;  // they take the first slots, from 0 on
  std::vector<NetworkNode> nodes;
  int slots = 0;
  int output = 0;                          // slot of the logits
  std::vector<AuxiliaryOutput> auxiliary;  // only in training; they have the logits' shape
  std::string loss;
  Shape target_shape;  // [batch] for class numbers; the logits' shape for bce_with_logits and mse
  DType target_dtype{};
  std::int64_t target_high = 0;  // class numbers are 0 ... high-1
  std::int64_t parameters = 0;
  std::int64_t trainable_parameters = 0;
  std::int64_t forward_macs = 0;
  std::int64_t backward_macs = 0;
  std::int64_t parameter_bytes = 0;
  std::int64_t input_bytes = 0;
  std::int64_t activation_bytes = 0;       // minimum that training keeps for the backward pass, in fp32
  std::int64_t peak_activation_bytes = 0;  // most bytes of layers' outputs at once, in fp32
  std::optional<KeyValueCache> cache;      // only if it generates; then the logits are those of the last position
};

template <>
inline constexpr auto kFields<NetworkPlan> = table(
    field<&NetworkPlan::model>(), field<&NetworkPlan::inputs>(), field<&NetworkPlan::nodes>(),
    field<&NetworkPlan::slots>(), field<&NetworkPlan::output>(), field<&NetworkPlan::auxiliary>(),
    field<&NetworkPlan::loss>(), field<&NetworkPlan::target_shape>(), field<&NetworkPlan::target_dtype>(),
    field<&NetworkPlan::target_high>(), field<&NetworkPlan::parameters>(), field<&NetworkPlan::trainable_parameters>(),
    field<&NetworkPlan::forward_macs>(), field<&NetworkPlan::backward_macs>(), field<&NetworkPlan::parameter_bytes>(),
    field<&NetworkPlan::input_bytes>(), field<&NetworkPlan::activation_bytes>(),
    field<&NetworkPlan::peak_activation_bytes>(), field<&NetworkPlan::cache>({.is_absent_when_empty = true}));

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
[[nodiscard]] std::int64_t flops_per_step(const NetworkPlan& plan, Mode mode);

// The file of a compiled network.
struct PackageFile {
  std::string path;
  std::string sha256;
  std::string folder;  // that only this user can read, for what the worker unpacks
  double compile_seconds = 0;
};

template <>
inline constexpr auto kFields<PackageFile> =
    members<&PackageFile::path, &PackageFile::sha256, &PackageFile::folder, &PackageFile::compile_seconds>();

}  // namespace mpsbench::schema
