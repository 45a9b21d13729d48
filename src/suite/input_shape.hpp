// One item of --input-shape: the shape and type of one input of a TorchScript file, without the batch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::suite {

struct InputShape {
  std::vector<std::int64_t> sizes;
  std::optional<std::int64_t> high;  // values are int64 below this; nullopt: float32

  bool operator==(const InputShape&) const = default;
};

// Parses "3x224x224" (float32) or "128:30522" (int64 from 0 to 30521). Returns nullopt if TEXT has neither
// form.
[[nodiscard]] std::optional<InputShape> parse_input_shape(const std::string& text);
// Returns the text that parse_input_shape would turn into SHAPE.
[[nodiscard]] std::string to_string(const InputShape& shape);

}  // namespace mpsbench::suite
