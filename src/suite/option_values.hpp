// Values of options that have a type and a text of their own.
#pragma once

#include "schema/case_spec.hpp"
#include "schema/closed_set.hpp"
#include "schema/device_id.hpp"

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

// Parses "3x224x224" (float32) or "128:30522" (int64 from 0 to 30521). Returns nullopt if TEXT has neither form.
[[nodiscard]] std::optional<InputShape> parse_input_shape(const std::string& text);
// Returns the text that parse_input_shape would turn into SHAPE.
[[nodiscard]] std::string to_string(const InputShape& shape);

// Settings that TEXT does not name keep PyTorch's defaults. Throws Error(usage).
[[nodiscard]] schema::OptimizerSpec parse_optimizer(const std::string& text);
// Returns the shortest text that parse_optimizer would turn into SPEC.
[[nodiscard]] std::string optimizer_text(const schema::OptimizerSpec& spec);

struct DeviceChoice {
  enum class Kind { automatic, all, one };
  Kind kind = Kind::automatic;
  schema::DeviceId device;  // of one

  bool operator==(const DeviceChoice&) const = default;
};

enum class ColourChoice { automatic, always, never };

}  // namespace mpsbench::suite

template <>
struct mpsbench::schema::ClosedSet<mpsbench::suite::ColourChoice>
    : NameSet<mpsbench::suite::ColourChoice, "use of colour", "auto", "always", "never"> {};
