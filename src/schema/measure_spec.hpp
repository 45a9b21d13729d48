// How a launch is measured: warm-up and stopping (docs/measuring.md, "When a launch stops").
#pragma once

#include "schema/field_json.hpp"

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

// Returns "auto", a number of steps such as "25", or a duration such as "2s"; parse_warmup reads it back.
[[nodiscard]] std::string to_string(const WarmupSpec& warmup);
// Returns nullopt if TEXT has none of these forms.
[[nodiscard]] std::optional<WarmupSpec> parse_warmup(std::string_view text);

template <>
struct Json<WarmupSpec> {
  static nlohmann::ordered_json write(const WarmupSpec& warmup) { return to_string(warmup); }
  static WarmupSpec read(const base::Reader& reader, const FieldInfo&) {
    const auto parsed = parse_warmup(reader.string());
    if (!parsed) throw reader.error("expected auto, a number of steps or a duration such as 2s");
    return *parsed;
  }
  static nlohmann::ordered_json schema(const FieldInfo&) {
    return {{"type", "string"}, {"pattern", "^(auto|[0-9]+|[0-9.]+(e[-+]?[0-9]+)?(us|ms|s|m|h))$"}};
  }
};

// Sequences that a launch takes at least if it generates; there they are the samples.
inline constexpr std::int64_t kLeastSequences = 3;

struct MeasureSpec {
  WarmupSpec warmup;
  double min_time_seconds = 0.5;
  double max_time_seconds = 10;  // per launch; includes the warm-up but not the set-up
  double max_noise = 0.01;       // relative half-width of the median's 95 % interval
  std::int64_t min_samples = 10;
};

template <>
inline constexpr auto kFields<MeasureSpec> =
    table("measure", field<&MeasureSpec::warmup>({"\"auto\", a number of steps, or a duration such as \"2s\"."}),
          field<&MeasureSpec::min_time_seconds>(seconds("Least measured time of a launch.")),
          field<&MeasureSpec::max_time_seconds>(seconds("Most time of a launch, with its warm-up.")),
          field<&MeasureSpec::max_noise>(
              {"The half-width of the median's 95 % interval at which a launch ends.", "1", kTime}),
          field<&MeasureSpec::min_samples>(from_one("Least number of samples.")));

}  // namespace mpsbench::schema
