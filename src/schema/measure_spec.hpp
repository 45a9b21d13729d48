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
  double max_time_seconds = 10;  // per launch; includes the warm-up but not the set-up
  double max_noise = 0.01;       // relative half-width of the median's 95 % interval
  std::int64_t min_samples = 10;
};

// Returns "auto", a number of steps such as "25", or a duration such as "2s"; parse_warmup reads it back.
[[nodiscard]] std::string to_string(const WarmupSpec& warmup);
// Returns nullopt if TEXT has none of these forms.
[[nodiscard]] std::optional<WarmupSpec> parse_warmup(std::string_view text);

[[nodiscard]] nlohmann::ordered_json to_json(const MeasureSpec& spec);
[[nodiscard]] MeasureSpec read_measure_spec(base::Reader reader);

}  // namespace mpsbench::schema
