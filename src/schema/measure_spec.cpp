#include "schema/measure_spec.hpp"

#include "base/units.hpp"

#include <nlohmann/json.hpp>

#include <limits>
#include <optional>

namespace mpsbench::schema {

std::string to_string(const WarmupSpec& warmup) {
  switch (warmup.kind) {
    case WarmupSpec::Kind::automatic:
      return "auto";
    case WarmupSpec::Kind::steps:
      return std::to_string(static_cast<std::int64_t>(warmup.amount));
    case WarmupSpec::Kind::seconds:
      return nlohmann::json(warmup.amount).dump() + "s";
  }
  return "auto";
}

std::optional<WarmupSpec> parse_warmup(std::string_view text) {
  if (text == "auto") return WarmupSpec{};
  if (const auto steps = base::parse_whole_number(text)) {
    return WarmupSpec{WarmupSpec::Kind::steps, static_cast<double>(*steps)};
  }
  const bool has_unit = !text.empty() && text.back() >= 'a' && text.back() <= 'z';
  const auto seconds = has_unit ? base::parse_duration_seconds(text) : std::nullopt;
  if (!seconds) return std::nullopt;
  return WarmupSpec{WarmupSpec::Kind::seconds, *seconds};
}

nlohmann::ordered_json to_json(const MeasureSpec& spec) {
  return {{"warmup", to_string(spec.warmup)},
          {"min_time_seconds", spec.min_time_seconds},
          {"max_time_seconds", spec.max_time_seconds},
          {"max_noise", spec.max_noise},
          {"min_samples", spec.min_samples}};
}

MeasureSpec read_measure_spec(base::Reader reader) {
  constexpr double kForever = 1e9;
  MeasureSpec spec;
  const base::Reader warmup = reader.at("warmup");
  const auto parsed = parse_warmup(warmup.string());
  if (!parsed) throw warmup.error("expected auto, a number of steps or a duration such as 2s");
  spec.warmup = *parsed;
  spec.min_time_seconds = reader.at("min_time_seconds").number(0, kForever);
  spec.max_time_seconds = reader.at("max_time_seconds").number(0, kForever);
  spec.max_noise = reader.at("max_noise").number(0, kForever);
  spec.min_samples = reader.at("min_samples").integer(1, std::numeric_limits<std::int64_t>::max());
  reader.done();
  return spec;
}

}  // namespace mpsbench::schema
