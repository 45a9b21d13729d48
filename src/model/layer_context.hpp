// What a layer type's planning function sees of one layer and may say about it.
#pragma once

#include "base/json_reader.hpp"
#include "model/graph.hpp"
#include "model/init.hpp"
#include "model/sizes.hpp"
#include "schema/case_spec.hpp"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mpsbench::model {

class LayerContext {
 public:
  // ENTRY is the layer in the definition; INITS the values of its init options. LAYER holds name, type,
  // options and inputs; OUTPUT is filled. All must outlive the context.
  LayerContext(const base::Reader& entry, std::vector<Value> inputs, nlohmann::json inits, schema::Mode mode,
               Layer& layer, Value& output);

  // Runs the type's function and completes OUTPUT.
  void plan();

  // Errors at the layer or at one of its keys, with the layer's full name.
  [[nodiscard]] base::Error error(const std::string& message) const;
  [[nodiscard]] base::Error error_at(const char* key, const std::string& message) const;

  [[nodiscard]] bool training() const { return mode_ == schema::Mode::train; }
  [[nodiscard]] std::size_t inputs() const { return inputs_.size(); }
  [[nodiscard]] const Value& input(std::size_t i = 0) const { return inputs_[i]; }
  // The shape of input I, which must be float32 with MIN_RANK ... MAX_RANK dimensions (batch included).
  [[nodiscard]] const schema::Shape& floats(std::size_t i = 0, std::size_t min_rank = 1,
                                            std::size_t max_rank = 8) const;
  // Likewise of int64.
  [[nodiscard]] const schema::Shape& integers(std::size_t i = 0, std::size_t min_rank = 1,
                                              std::size_t max_rank = 7) const;

  [[nodiscard]] std::int64_t integer(const char* option) const;
  [[nodiscard]] double number(const char* option) const;
  [[nodiscard]] bool flag(const char* option) const;
  [[nodiscard]] Pair pair(const char* option) const;
  [[nodiscard]] std::vector<std::int64_t> list(const char* option) const;
  [[nodiscard]] bool is_null(const char* option) const;
  void set_option(const char* option, nlohmann::json value);
  // VALUE of OPTION as a dimension of a tensor of RANK dimensions: negative counts from the end; 0, the
  // batch, is refused.
  [[nodiscard]] std::size_t dimension(const char* option, std::int64_t value, std::size_t rank) const;

  void set_output(schema::Shape shape, DType dtype = DType::float32, std::int64_t high = 0);
  // The output has a gradient whatever goes in: there are weights that the plan does not know.
  void set_differentiable() { differentiable_ = true; }
  void set_storage(Storage storage) { layer_->storage = storage; }
  // Drawn as the init option "ROLE_init" says. FAN_OUT 0: kaiming initialisation makes no sense for it.
  void add_parameter(const char* role, schema::Shape shape, DefaultInit initial, std::int64_t fan_out = 0);
  void add_buffer(const char* role, schema::Shape shape, DType dtype, const char* init);
  void zero_row(std::int64_t row) { layer_->node.tensors.back().zero_row = row; }
  // Multiply-accumulates of the forward pass: the product of FACTORS. The backward pass costs as much again
  // for each of GRADIENTS that is true: one for the weight, one for each input.
  void count_macs(std::initializer_list<std::int64_t> factors, std::initializer_list<bool> gradients);

 private:
  [[nodiscard]] const schema::Shape& typed(std::size_t i, DType dtype, std::size_t min_rank,
                                           std::size_t max_rank) const;
  [[nodiscard]] std::string where() const;

  base::Reader entry_;
  std::vector<Value> inputs_;
  nlohmann::json inits_;
  schema::Mode mode_;
  bool differentiable_ = false;
  Layer* layer_;
  Value* output_;
};

}  // namespace mpsbench::model
