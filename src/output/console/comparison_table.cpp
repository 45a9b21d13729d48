#include "output/console/comparison_table.hpp"

#include "base/units.hpp"
#include "output/text/columns.hpp"
#include "output/text/short_ids.hpp"
#include "output/text/text.hpp"
#include "stats/launches_needed.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <vector>

namespace mpsbench::output {
namespace {

using report::CaseComparison;
using report::ComparedCase;
using report::Comparison;
using report::Ratio;
using report::Verdict;

constexpr double kMostPercent = 9999;  // larger changes are shown as ">+9999"
constexpr std::size_t kMostNamed = 5;  // most cases that a sentence names
constexpr double kTold = 2;  // from this factor on, a sentence says how much slower or faster a case is

// Returns text such as "+9.9". Negative numbers have the typographic minus sign.
std::string signed_percent(double ratio) {
  const double percent = (ratio - 1) * 100;
  if (percent >= kMostPercent) return fmt::format(">+{:.0f}", kMostPercent);
  std::string digits = fmt::format("{:.{}f}", std::abs(percent), std::abs(percent) < 99.95 ? 1 : 0);
  if (digits == "0.0") return digits;
  return (percent < 0 ? "−" : "+") + digits;
}

std::string time_text(const ComparedCase* result) {
  return result != nullptr && result->step_seconds ? with_interval(*result->step_seconds, result->ci95)
                                                   : kNone;
}

std::string interval_text(const Ratio& ratio) {
  return signed_percent(ratio.low) + " … " + signed_percent(ratio.high);
}

std::int64_t launches_at_hand(const CaseComparison& pair) {
  return static_cast<std::int64_t>(std::min(pair.before->launches.size(), pair.after->launches.size()));
}

std::string verdict_text(const CaseComparison& pair) {
  std::string word = to_string(pair.verdict);
  if (pair.verdict == Verdict::not_compared) return word + " (" + pair.reason + ")";
  if (pair.verdict != Verdict::undecided) return word;
  if (pair.is_machine_noise)
    return word + fmt::format(" (two equal runs differ by up to {} % here)",
                              base::format_significant(pair.machine_spread.value_or(0) * 100, 2));
  if (!pair.launches_needed)
    return word +
           fmt::format(" (needs more than {} launches each)", base::format_count(stats::kMostLaunchesNeeded));
  const std::int64_t more = std::max<std::int64_t>(*pair.launches_needed - launches_at_hand(pair), 1);
  return word + fmt::format(" (about {} more launch{} each)", more, more == 1 ? "" : "es");
}

Paint paint_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::slower:
      return Paint::bad;
    case Verdict::faster:
      return Paint::good;
    case Verdict::same:
      return Paint::none;
    case Verdict::undecided:
    case Verdict::not_compared:
      break;
  }
  return Paint::remark;
}

std::vector<std::string> names_of(const Comparison& comparison) {
  std::vector<std::string> ids;
  for (const CaseComparison& pair : comparison.cases) ids.push_back(pair.id);
  return short_ids(ids);
}

// Lists at most kMostNamed texts: "a, b and 3 more".
std::string enumerated(const std::vector<std::string>& texts) {
  std::string text =
      fmt::format("{}", fmt::join(std::span(texts).first(std::min(texts.size(), kMostNamed)), ", "));
  if (texts.size() > kMostNamed) text += fmt::format(" and {} more", texts.size() - kMostNamed);
  return text;
}

// Returns " (2.4 times slower)" if the time changed by a large factor, which is hard to read as a percentage,
// otherwise an empty text.
std::string factor_words(const CaseComparison& pair) {
  if (!pair.ratio || (pair.ratio->value < kTold && pair.ratio->value > 1 / kTold)) return "";
  return " (" + speed_words(1 / pair.ratio->value) + ")";
}

// Returns a sentence such as "3 cases of 9 are slower by more than 2 %: a, b, c."
std::string called(const Comparison& comparison, Verdict verdict, const std::vector<std::string>& names) {
  const std::int64_t count = comparison.count(verdict);
  const std::size_t cases = comparison.cases.size();
  const std::int64_t open = comparison.count(Verdict::undecided) + comparison.count(Verdict::not_compared);
  if (open == std::ssize(comparison.cases))
    return fmt::format("None of {} case{} could be judged.\n", cases, cases == 1 ? "" : "s");
  std::string text = fmt::format("{} case{} of {} {} {} by more than {}",
                                 count == 0 ? "No" : std::to_string(count), count > 1 ? "s" : "", cases,
                                 count > 1 ? "are" : "is", to_string(verdict), threshold_text(comparison));
  std::vector<std::string> ones;
  for (std::size_t i = 0; i < cases; ++i) {
    if (comparison.cases[i].verdict == verdict) ones.push_back(names[i] + factor_words(comparison.cases[i]));
  }
  return text + (ones.empty() ? "" : ": ") + enumerated(ones) + ".\n";
}

std::string undecided(const Comparison& comparison) {
  const std::int64_t count = comparison.count(Verdict::undecided);
  if (count == 0) return "";
  std::int64_t most = 0;
  for (const CaseComparison& pair : comparison.cases) most = std::max(most, pair.launches_needed.value_or(0));
  const bool noise = std::any_of(comparison.cases.begin(), comparison.cases.end(),
                                 [](const CaseComparison& pair) { return pair.is_machine_noise; });
  std::string text = fmt::format("{} case{} undecided", count, count == 1 ? " is" : "s are");
  const bool takes_turns = comparison.rules.takes_turns;
  text += most > 0 ? fmt::format("; run {} again with --repeats {}{} to decide", takes_turns ? "it" : "both",
                                 most, takes_turns ? " or a larger --budget" : "")
                   : "; the machine is too unsteady to decide: see mpsbench doctor";
  if (noise)
    text +=
        "; some changes are within what mpsbench calibrate measured on this machine: calibrate again when it "
        "is quiet";
  return text + ".\n";
}

// Returns a sentence such as "2 cases are not compared: a (oom after), b (only before)."
std::string left_out(const Comparison& comparison, const std::vector<std::string>& names) {
  std::vector<std::string> ones;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const CaseComparison& pair = comparison.cases[i];
    if (pair.verdict == Verdict::not_compared) ones.push_back(names[i] + " (" + pair.reason + ")");
  }
  if (ones.empty()) return "";
  return fmt::format("{} case{} not compared: {}.\n", ones.size(), ones.size() == 1 ? " is" : "s are",
                     enumerated(ones));
}

}  // namespace

Grid comparison_grid(const Comparison& comparison) {
  Grid grid{{"case", "before", "after", "change", "95 % interval", "verdict"},
            {false, true, true, true, true, false},
            {}};
  const std::vector<std::string> names = names_of(comparison);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const CaseComparison& pair = comparison.cases[i];
    const bool told = pair.ratio.has_value();
    grid.rows.push_back({{names[i], time_text(pair.before), time_text(pair.after),
                          told ? format_change(pair.ratio->value) : kNone,
                          told ? interval_text(*pair.ratio) : kNone, verdict_text(pair)},
                         paint_of(pair.verdict)});
  }
  if (const auto& mean = comparison.mean)
    grid.rows.push_back(
        {{"geometric mean", "", "", format_change(mean->value), interval_text(*mean), ""}, Paint::none});
  return grid;
}

std::string verdict_words(const CaseComparison& pair) {
  std::string verdict = verdict_text(pair);
  if (!pair.ratio) return verdict;
  return verdict + ": " + time_text(pair.before) + " → " + time_text(pair.after) + ", " +
         format_change(pair.ratio->value) + " (" + interval_text(*pair.ratio) + ")";
}

std::string threshold_text(const Comparison& comparison) {
  const double first = comparison.cases.empty() ? report::kThreshold : comparison.cases.front().threshold;
  const bool alike = std::all_of(comparison.cases.begin(), comparison.cases.end(),
                                 [&](const CaseComparison& pair) { return pair.threshold == first; });
  return alike ? fmt::format("{:g} %", first * 100) : "their thresholds";
}

std::string format_change(double ratio) {
  return signed_percent(ratio) + " %";
}

std::string comparison_table(const Comparison& comparison, bool colour) {
  return aligned(comparison_grid(comparison), colour);
}

std::string comparison_markdown(const Comparison& comparison) {
  return markdown(comparison_grid(comparison));
}

std::string comparison_summary(const Comparison& comparison) {
  const std::vector<std::string> names = names_of(comparison);
  std::string text = called(comparison, Verdict::slower, names);
  if (comparison.count(Verdict::faster) > 0) text += called(comparison, Verdict::faster, names);
  text += undecided(comparison);
  text += left_out(comparison, names);
  std::string clean;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    clean += printable(text.substr(begin, end - begin)) + "\n";
    begin = end + 1;
  }
  return clean;
}

}  // namespace mpsbench::output
