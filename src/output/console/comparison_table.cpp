#include "output/console/comparison_table.hpp"

#include "base/units.hpp"
#include "output/text/cases.hpp"
#include "output/text/figures.hpp"
#include "stats/launches_needed.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace mpsbench::output {
namespace {

using report::CaseComparison;
using report::Comparison;
using report::Verdict;
using schema::GatedMetric;

constexpr std::size_t kMostNamed = 5;  // most cases that a sentence names
constexpr double kTold = 2;            // from this factor on, a sentence says how much slower or faster a case is
constexpr double kWidestShown = 0.5;   // half the width of an interval of percentages
constexpr double kTwice = 2;           // wide intervals that end below this are easy to read as percentages
constexpr double kMostPercent = 9999;  // larger changes are shown as ">+9999"

// What is said about a metric.
struct MetricWords {
  const char* worse;
  const char* better;
  const char* of;  // before a case; empty for the step's time, which everybody expects
  bool is_time;
  std::string (*text)(double value);
};
constexpr MetricWords kWords[] = {{"slower", "faster", "", true, base::format_duration},
                                  {"slower", "faster", "the p99 latency of ", true, base::format_duration},
                                  {"slower", "faster", "the time to the first token of ", true, base::format_duration},
                                  {"larger", "smaller", "the peak memory of ", false, base::format_bytes},
                                  {"higher", "lower", "the energy of ", false, [](double joules) {
                                     return base::format_significant(joules, 3) + " J";
                                   }}};  // in the order of GatedMetric

const MetricWords& words_of(GatedMetric metric) {
  return kWords[static_cast<std::size_t>(metric)];
}

constexpr Paint kPaints[] = {Paint::good, Paint::bad, Paint::none, Paint::remark, Paint::remark};  // as Verdict

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
  return "about " + base::counted(more, "more launch each", "more launches each");
}

std::string change_text(const CaseComparison& pair) {
  if (pair.ratio) return format_change(pair.ratio->value);
  return pair.within_launch_ratio ? format_change(*pair.within_launch_ratio) : kNone;
}

std::string changes_text(const CaseComparison& pair) {
  if (pair.ratio) return format_changes(*pair.ratio);
  return pair.within_launch_ratio ? kWithinLaunch : kNone;
}

// Returns " (2.4 times slower)" if the metric changed by a large factor, which is hard to read as a
// percentage, otherwise an empty text.
std::string factor_words(const CaseComparison& pair) {
  if (!pair.ratio || (pair.ratio->value < kTold && pair.ratio->value > 1 / kTold)) return "";
  const double ratio = pair.ratio->value;
  return " (" +
         (words_of(pair.metric).is_time ? speed_words(1 / ratio)
                                        : base::format_significant(ratio, 2) + " times as much") +
         ")";
}

std::string threshold_of(const std::vector<const CaseComparison*>& pairs) {
  const double first = pairs.front()->threshold;
  const bool alike = std::ranges::all_of(pairs, [&](const CaseComparison* pair) { return pair->threshold == first; });
  return alike ? fmt::format("{:g} %", first * 100) : "their thresholds";
}

// Returns a sentence such as "3 cases of 9 are slower by more than 2 %: a, b, c." or "The peak memory of 1
// case of 4 is larger by more than 1 %: a.", or an empty text if no case is judged by METRIC. If VERDICT is
// faster, also if no case is.
std::string called(const Comparison& comparison, GatedMetric metric, Verdict verdict,
                   const std::vector<std::string>& names) {
  std::vector<const CaseComparison*> pairs;
  std::vector<std::string> ones;
  std::size_t open = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const CaseComparison& pair = comparison.cases[i];
    if (pair.metric != metric) continue;
    pairs.push_back(&pair);
    if (pair.verdict == verdict) ones.push_back(names[i] + factor_words(pair));
    open += pair.verdict == Verdict::undecided || pair.verdict == Verdict::not_compared ? 1 : 0;
  }
  if (pairs.empty() || (ones.empty() && verdict == Verdict::faster)) return "";
  const std::string what = words_of(metric).of;
  if (open == pairs.size()) return sentence(fmt::format("{}no case of {} could be judged", what, open)) + "\n";
  const std::string count = ones.empty() ? "no case" : base::counted(ones.size(), "case", "cases");
  return sentence(fmt::format("{}{} of {} {} {} by more than {}{}{}", what, count, pairs.size(),
                              ones.size() > 1 && what.empty() ? "are" : "is", verdict_word(metric, verdict),
                              threshold_of(pairs), ones.empty() ? "" : ": ", listed(ones, {", "}, kMostNamed))) +
         "\n";
}

// Returns a line such as "- a: +10.4 %, +2.0 … +19.4: slower, perhaps by less than 2 %; run both
// again with --repeats 11".
std::string undecided_line(const CaseComparison& pair, const std::string& name) {
  std::string line = std::string("- ") + words_of(pair.metric).of + name + ": ";
  if (pair.ratio)
    line += format_change(pair.ratio->value) + ", " + format_changes(*pair.ratio) + ": " + standing(pair) + "; ";
  return line + advice(pair) + "\n";
}

// Returns a sentence, and a line per undecided case.
std::string undecided(const Comparison& comparison, const std::vector<std::string>& names) {
  const std::int64_t count = comparison.count(Verdict::undecided);
  if (count == 0) return "";
  std::string text = comparison.has_other_metrics() ? base::counted(count, "comparison is", "comparisons are")
                                                    : base::counted(count, "case is", "cases are");
  text += " undecided:\n";
  for (std::size_t i = 0; i < names.size(); ++i) {
    const CaseComparison& pair = comparison.cases[i];
    if (pair.verdict == Verdict::undecided) text += undecided_line(pair, names[i]);
  }
  return text;
}

// Returns a sentence such as "2 cases are not compared: a (oom after), b (only before)."
std::string left_out(const Comparison& comparison, const std::vector<std::string>& names) {
  std::vector<std::string> ones;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const CaseComparison& pair = comparison.cases[i];
    if (pair.verdict == Verdict::not_compared) ones.push_back(names[i] + " (" + pair.reason + ")");
  }
  if (ones.empty()) return "";
  const std::string what = comparison.has_other_metrics()
                               ? base::counted(ones.size(), "comparison", "comparisons") + " could not be made"
                               : base::counted(ones.size(), "case is not compared", "cases are not compared");
  return fmt::format("{}: {}.\n", what, listed(ones, {", "}, kMostNamed));
}

std::string narrow(const Comparison& comparison) {
  const bool is_any = std::ranges::any_of(comparison.cases, [](const CaseComparison& pair) {
    return pair.ratio && pair.metric == GatedMetric::step &&
           (is_far_narrower(pair.ratio->low, pair.ratio->high, pair.before->ci95) ||
            is_far_narrower(pair.ratio->low, pair.ratio->high, pair.after->ci95));
  });
  return is_any ? narrow_words("change") + "\n" : "";
}

}  // namespace

std::string verdict_word(GatedMetric metric, Verdict verdict) {
  if (verdict == Verdict::slower) return words_of(metric).worse;
  if (verdict == Verdict::faster) return words_of(metric).better;
  return to_string(verdict);
}

std::string verdict_text(const CaseComparison& pair) {
  std::string text = verdict_word(pair.metric, pair.verdict);
  if (pair.verdict == Verdict::not_compared) {
    text += " (" + pair.reason + ")";
  } else if (pair.verdict == Verdict::undecided) {
    text += " (" +
            (pair.is_machine_noise ? "two equal runs differ by up to " + spread_percent(pair) + " here"
                                   : more_launches(pair)) +
            ")";
  }
  return text;
}

std::string verdict_words(const CaseComparison& pair) {
  std::string verdict = verdict_text(pair);
  if (!pair.ratio && !pair.within_launch_ratio) return verdict;
  const std::string stands = standing(pair);
  return verdict + ": " + value_text(pair.before, pair.metric) + " → " + value_text(pair.after, pair.metric) + ", " +
         change_text(pair) + " (" + changes_text(pair) + ")" + (stands.empty() ? "" : ": " + stands);
}

std::string standing(const CaseComparison& pair) {
  if (pair.verdict != Verdict::undecided || !pair.ratio) return "";
  const MetricWords& words = words_of(pair.metric);
  const double factor = 1 + pair.threshold;
  const std::string by_more = fmt::format(" by more than {:g} %", pair.threshold * 100);
  const bool may_be_worse = pair.ratio->high > factor;
  if (may_be_worse && pair.ratio->low < 1 / factor)
    return fmt::format("could be {} or {}{}", words.worse, words.better, by_more);
  const std::string word = may_be_worse ? words.worse : words.better;
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
  return metric == GatedMetric::step ? with_interval(*value, result->ci95) : words_of(metric).text(*value);
}

Grid comparison_grid(const Comparison& comparison) {
  Grid grid{{"case", "before", "after", "change", "95 % interval", "verdict"}, {false, true, true, true, true, false}};
  const std::vector<std::string> names = short_names(comparison.cases);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const CaseComparison& pair = comparison.cases[i];
    grid.rows.push_back({{names[i], value_text(pair.before, pair.metric), value_text(pair.after, pair.metric),
                          change_text(pair), changes_text(pair), verdict_text(pair)},
                         kPaints[static_cast<std::size_t>(pair.verdict)]});
  }
  if (const auto& mean = comparison.mean)
    grid.rows.push_back({{"geometric mean", "", "", format_change(mean->value), format_changes(*mean), ""}});
  if (!comparison.has_other_metrics()) return grid;
  grid.titles.insert(grid.titles.begin() + 1, "metric");
  grid.right.insert(grid.right.begin() + 1, false);
  for (std::size_t i = 0; i < grid.rows.size(); ++i) {
    const GatedMetric metric = i < comparison.cases.size() ? comparison.cases[i].metric : GatedMetric::step;
    std::vector<std::string>& cells = grid.rows[i].cells;
    cells.insert(cells.begin() + 1, to_string(metric));
  }
  return grid;
}

std::string sides_words(const Comparison& comparison) {
  const auto side = [](const report::ComparedReport& report) {
    std::string text = report.file;
    if (!report.started_at.empty()) text += ", " + report.started_at.substr(0, 10);
    if (report.tool.git_commit) text += ", " + schema::commit_text(report.tool);
    return text;
  };
  return printable("before: " + side(*comparison.before) + "; after: " + side(*comparison.after) +
                   "; times: geometric means of the launches") +
         "\n";
}

std::string comparison_summary(const Comparison& comparison) {
  const std::vector<std::string> names = short_names(comparison.cases);
  std::string text;
  for (const auto& row : schema::ClosedSet<GatedMetric>::kRows) {
    for (const Verdict verdict : {Verdict::slower, Verdict::faster})
      text += called(comparison, row.value, verdict, names);
  }
  text += left_out(comparison, names) + undecided(comparison, names) + narrow(comparison);
  std::string clean;
  for (const std::string& line : lines_of(text)) clean += printable(line) + "\n";
  return clean;
}

}  // namespace mpsbench::output
