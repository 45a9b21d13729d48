// One item of --input-shape: what an input of a TorchScript file takes, without the batch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::suite {

struct InputShape {
  std::vector<std::int64_t> sizes;
  std::optional<std::int64_t> high;  // int64 below this; none: float32

  bool operator==(const InputShape&) const = default;
};

// "3x224x224" (float32) or "128:30522" (int64 from 0 to 30521). Nullopt when TEXT is neither.
[[nodiscard]] std::optional<InputShape> parse_input_shape(const std::string& text);
// The text that parse_input_shape turns into SHAPE.
[[nodiscard]] std::string to_string(const InputShape& shape);

}  // namespace mpsbench::suite
