#include "schema/measure_spec.hpp"

#include "base/units.hpp"

#include <nlohmann/json.hpp>

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

}  // namespace mpsbench::schema
