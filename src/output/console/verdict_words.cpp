#include "output/console/verdict_words.hpp"

#include "base/units.hpp"
#include "output/text/columns.hpp"
#include "output/text/interval_text.hpp"
#include "output/text/text.hpp"
#include "report/compare/compare_verdict.hpp"
#include "stats/launches_needed.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace mpsbench::output {
namespace {

using report::CaseComparison;
using report::Verdict;
using schema::GatedMetric;

constexpr double kWidestShown = 0.5;   // half the width of an interval of percentages
constexpr double kTwice = 2;           // wide intervals that end below this are easy to read as percentages
constexpr double kMostPercent = 9999;  // larger changes are shown as ">+9999"

struct ChangeWords {
  const char* worse;
  const char* better;
};

ChangeWords words_of(GatedMetric metric) {
  switch (metric) {
    case GatedMetric::step:
    case GatedMetric::latency_p99:
      return {"slower", "faster"};
    case GatedMetric::peak_memory:
      return {"larger", "smaller"};
    case GatedMetric::energy:
      break;
  }
  return {"higher", "lower"};
}

// Returns text such as "+9.9". Negative numbers have the typographic minus sign.
std::string signed_percent(double ratio) {
  const double percent = (ratio - 1) * 100;
  if (percent >= kMostPercent) return fmt::format(">+{:.0f}", kMostPercent);
  std::string digits = fmt::format("{:.{}f}", std::abs(percent), std::abs(percent) < 99.95 ? 1 : 0);
  if (digits == "0.0") return digits;
  return (percent < 0 ? "−" : "+") + digits;
}

std::string spread_percent(const CaseComparison& pair) {
  return base::format_significant(pair.machine_spread.value_or(0) * 100, 2) + " %";
}

// Returns "about 8 more launches each", or that they would be too many.
std::string more_launches(const CaseComparison& pair) {
  if (!pair.launches_needed)
    return fmt::format("needs more than {} launches each", base::format_count(stats::kMostLaunchesNeeded));
  const std::int64_t more = std::max<std::int64_t>(*pair.launches_needed - launches_at_hand(pair), 1);
  return fmt::format("about {} more launch{} each", more, more == 1 ? "" : "es");
}

}  // namespace

std::string verdict_word(GatedMetric metric, Verdict verdict) {
  if (verdict == Verdict::slower) return words_of(metric).worse;
  if (verdict == Verdict::faster) return words_of(metric).better;
  return to_string(verdict);
}

std::string verdict_text(const CaseComparison& pair) {
  std::string word = verdict_word(pair.metric, pair.verdict);
  if (pair.verdict == Verdict::not_compared) return word + " (" + pair.reason + ")";
  if (pair.verdict != Verdict::undecided) return word;
  if (pair.is_machine_noise) return word + " (two equal runs differ by up to " + spread_percent(pair) + " here)";
  return word + " (" + more_launches(pair) + ")";
}

std::string standing(const CaseComparison& pair) {
  if (pair.verdict != Verdict::undecided || !pair.ratio) return "";
  const auto [worse, better] = words_of(pair.metric);
  const double factor = 1 + pair.threshold;
  const std::string by_more = fmt::format(" by more than {:g} %", pair.threshold * 100);
  const bool may_be_worse = pair.ratio->high > factor;
  if (may_be_worse && pair.ratio->low < 1 / factor) return fmt::format("could be {} or {}{}", worse, better, by_more);
  const std::string word = may_be_worse ? worse : better;
  if (pair.is_machine_noise) return word + ", but equal runs differ as much";
  const double least = may_be_worse ? pair.ratio->low : 1 / pair.ratio->high;
  if (least > factor) return "probably " + word + by_more;
  if (least > 1) return fmt::format("{}, perhaps by less than {:g} %", word, pair.threshold * 100);
  return "perhaps " + word + ", perhaps the same";
}

std::string advice(const CaseComparison& pair) {
  if (pair.is_machine_noise)
    return "the machine's own spread is " + spread_percent(pair) +
           ": calibrate again when it is quiet, or measure on a quieter machine";
  if (!pair.launches_needed)
    return more_launches(pair) + ": raise --threshold, or measure on a quieter machine (see mpsbench doctor)";
  const std::int64_t needed = *pair.launches_needed;
  return pair.takes_turns ? fmt::format("run again with -r {} or a larger --budget", needed)
                          : fmt::format("run both again with --repeats {}", needed);
}

std::string format_change(double ratio) {
  return signed_percent(ratio) + " %";
}

std::string format_changes(const report::Ratio& ratio) {
  const bool is_wide = (ratio.high - ratio.low) / 2 > kWidestShown * ratio.value;
  if (is_wide && ratio.high > kTwice) return format_factors(ratio.low, ratio.high);
  return signed_percent(ratio.low) + " … " + signed_percent(ratio.high);
}

std::string value_text(const report::ComparedCase* result, GatedMetric metric) {
  const auto value = result != nullptr ? result->value(metric) : std::nullopt;
  if (!value) return kNone;
  switch (metric) {
    case GatedMetric::step:
      return with_interval(*value, result->ci95);
    case GatedMetric::latency_p99:
      return base::format_duration(*value);
    case GatedMetric::peak_memory:
      return base::format_bytes(*value);
    case GatedMetric::energy:
      break;
  }
  return base::format_significant(*value, 3) + " J";
}

}  // namespace mpsbench::output
