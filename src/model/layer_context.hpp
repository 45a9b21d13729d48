// The interface through which a layer type's planning function reads one layer and sets its properties.
#pragma once

#include "base/json_reader.hpp"
#include "model/graph.hpp"
#include "model/layer_table.hpp"
#include "model/sizes.hpp"
#include "schema/case_spec.hpp"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mpsbench::model {

class LayerContext {
 public:
  // ENTRY is the layer in the definition, and INITS has the values of its init options. LAYER already has its
  // name, type, options and inputs. OUTPUT is filled in. All must outlive the context.
  LayerContext(const base::Reader& entry, std::vector<Value> inputs, nlohmann::json inits, schema::Mode mode,
               const std::optional<schema::KeyValueCache>& cache, Layer& layer, Value& output);

  // Runs the layer type's planning function and completes OUTPUT.
  void plan();

  // Errors with the JSON path of the layer or of one of its keys, and the layer's full name.
  [[nodiscard]] base::Error error(const std::string& message) const;
  [[nodiscard]] base::Error error_at(const char* key, const std::string& message) const;

  [[nodiscard]] bool training() const { return row_of(mode_).trains; }
  // What attention keeps of earlier positions; null: nothing.
  [[nodiscard]] const std::optional<schema::KeyValueCache>& cache() const { return *cache_; }
  [[nodiscard]] std::size_t inputs() const { return inputs_.size(); }
  [[nodiscard]] const Value& input(std::size_t i = 0) const { return inputs_[i]; }
  // Returns the shape of input I. It must be float32 and have MIN_RANK to MAX_RANK dimensions, with the batch.
  [[nodiscard]] const schema::Shape& floats(std::size_t i = 0, std::size_t min_rank = 1,
                                            std::size_t max_rank = 8) const;
  // The same for an int64 input.
  [[nodiscard]] const schema::Shape& integers(std::size_t i = 0, std::size_t min_rank = 1,
                                              std::size_t max_rank = 7) const;

  [[nodiscard]] std::int64_t integer(const char* option) const;
  [[nodiscard]] double number(const char* option) const;
  [[nodiscard]] bool flag(const char* option) const;
  [[nodiscard]] Pair pair(const char* option) const;
  [[nodiscard]] std::vector<std::int64_t> list(const char* option) const;
  [[nodiscard]] bool is_null(const char* option) const;
  [[nodiscard]] std::size_t count(const char* option) const;
  void set_option(const char* option, nlohmann::json value);
  // Returns VALUE of OPTION as a dimension of a tensor that has RANK dimensions. Negative values count from
  // the end. Dimension 0, the batch, is refused.
  [[nodiscard]] std::size_t dimension(const char* option, std::int64_t value, std::size_t rank) const;

  void set_output(schema::Shape shape, DType dtype = DType::float32, std::int64_t high = 0);
  // The output has a gradient even if no input has one, because there are weights that the plan does not know.
  void set_differentiable() { differentiable_ = true; }
  void set_storage(Storage storage) { layer_->storage = storage; }
  void set_saves(Saves saves) { layer_->saves = saves; }
  // Adds a parameter that is drawn as the option "ROLE_init" says. Without a ROLE it has the layer's own name, and the
  // option is "init". FAN_OUT 0: the kaiming words are refused.
  void add_parameter(const char* role, schema::Shape shape, DefaultInit initial, std::int64_t fan_out = 0);
  void add_buffer(const char* role, schema::Shape shape, DType dtype, const char* init);
  // The parameter that was added last gets no gradient.
  void freeze() { layer_->node.tensors.back().trainable = false; }
  void zero_row(std::int64_t row) { layer_->node.tensors.back().zero_row = row; }
  // Sets the multiply-accumulates. The forward pass has the product of FACTORS. The backward pass has the
  // same number for each true item of GRADIENTS, which are one for the weight and one for each input.
  void count_macs(std::initializer_list<std::int64_t> factors, std::initializer_list<bool> gradients);

 private:
  [[nodiscard]] const schema::Shape& typed(std::size_t i, DType dtype, std::size_t min_rank,
                                           std::size_t max_rank) const;
  [[nodiscard]] std::string where() const;

  base::Reader entry_;
  std::vector<Value> inputs_;
  nlohmann::json inits_;
  schema::Mode mode_;
  const std::optional<schema::KeyValueCache>* cache_;
  bool differentiable_ = false;
  Layer* layer_;
  Value* output_;
};

}  // namespace mpsbench::model
