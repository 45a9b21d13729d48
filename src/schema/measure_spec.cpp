#include "schema/measure_spec.hpp"

#include "base/units.hpp"

#include <nlohmann/json.hpp>

namespace mpsbench::schema {

std::string to_string(const WarmupSpec& warmup) {
  if (warmup.kind == WarmupSpec::Kind::automatic) return "auto";
  return warmup.kind == WarmupSpec::Kind::steps ? std::to_string(static_cast<std::int64_t>(warmup.amount))
                                                : nlohmann::json(warmup.amount).dump() + "s";
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
