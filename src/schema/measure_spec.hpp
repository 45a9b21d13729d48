// How a launch is measured: warm-up and stopping (docs/measuring.md, "When a launch stops").
#pragma once

#include "base/json_reader.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mpsbench::schema {

struct WarmupSpec {
  enum class Kind { automatic, steps, seconds };
  Kind kind = Kind::automatic;
  double amount = 0;  // steps or seconds; unused when automatic
};

struct MeasureSpec {
  WarmupSpec warmup;
  double min_time_seconds = 0.5;
  double max_time_seconds = 10;  // of one launch: set-up not counted, warm-up counted
  double max_noise = 0.01;       // relative half-width of the median's 95 % interval
  std::int64_t min_samples = 10;
};

// "auto", "25" (steps) or "2s"; the reverse of parse_warmup.
[[nodiscard]] std::string to_string(const WarmupSpec& warmup);
// Nullopt when TEXT is none of these.
[[nodiscard]] std::optional<WarmupSpec> parse_warmup(std::string_view text);

[[nodiscard]] nlohmann::ordered_json to_json(const MeasureSpec& spec);
[[nodiscard]] MeasureSpec read_measure_spec(base::Reader reader);

}  // namespace mpsbench::schema
