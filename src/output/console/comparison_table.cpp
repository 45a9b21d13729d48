#include "output/console/comparison_table.hpp"

#include "base/units.hpp"
#include "output/console/verdict_words.hpp"
#include "output/text/columns.hpp"
#include "output/text/interval_text.hpp"
#include "output/text/text.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

namespace mpsbench::output {
namespace {

using report::CaseComparison;
using report::Comparison;
using report::Verdict;
using schema::GatedMetric;

constexpr std::size_t kMostNamed = 5;  // most cases that a sentence names
constexpr double kTold = 2;            // from this factor on, a sentence says how much slower or faster a case is

std::string change_text(const CaseComparison& pair) {
  if (pair.ratio) return format_change(pair.ratio->value);
  return pair.within_launch_ratio ? format_change(*pair.within_launch_ratio) : kNone;
}

std::string interval_text(const CaseComparison& pair) {
  if (pair.ratio) return format_changes(*pair.ratio);
  return pair.within_launch_ratio ? kWithinLaunch : kNone;
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
  std::string text = fmt::format("{}", fmt::join(std::span(texts).first(std::min(texts.size(), kMostNamed)), ", "));
  if (texts.size() > kMostNamed) text += fmt::format(" and {} more", texts.size() - kMostNamed);
  return text;
}

// Returns " (2.4 times slower)" if the metric changed by a large factor, which is hard to read as a
// percentage, otherwise an empty text.
std::string factor_words(const CaseComparison& pair) {
  if (!pair.ratio || (pair.ratio->value < kTold && pair.ratio->value > 1 / kTold)) return "";
  const bool is_time = pair.metric == GatedMetric::step || pair.metric == GatedMetric::latency_p99;
  return " (" +
         (is_time ? speed_words(1 / pair.ratio->value)
                  : base::format_significant(pair.ratio->value, 2) + " times as much") +
         ")";
}

// Returns "the peak memory of ", or an empty text for the step's time, which everybody expects.
std::string metric_of(GatedMetric metric) {
  switch (metric) {
    case GatedMetric::step:
      return "";
    case GatedMetric::latency_p99:
      return "the p99 latency of ";
    case GatedMetric::peak_memory:
      return "the peak memory of ";
    case GatedMetric::energy:
      break;
  }
  return "the energy per row of ";
}

std::string threshold_of(const std::vector<const CaseComparison*>& pairs) {
  const double first = pairs.empty() ? report::kThreshold : pairs.front()->threshold;
  const bool alike =
      std::all_of(pairs.begin(), pairs.end(), [&](const CaseComparison* pair) { return pair->threshold == first; });
  return alike ? fmt::format("{:g} %", first * 100) : "their thresholds";
}

// Returns a sentence such as "3 cases of 9 are slower by more than 2 %: a, b, c." or "The peak memory of 1
// case of 4 is larger by more than 1 %: a.", or an empty text if no case is judged by METRIC.
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
  if (pairs.empty()) return "";
  const std::string what = metric_of(metric);
  if (open == pairs.size()) return sentence(fmt::format("{}no case of {} could be judged", what, open)) + "\n";
  const std::string count = ones.empty() ? "no case" : base::counted(ones.size(), "case", "cases");
  return sentence(fmt::format("{}{} of {} {} {} by more than {}{}{}", what, count, pairs.size(),
                              ones.size() > 1 && what.empty() ? "are" : "is", verdict_word(metric, verdict),
                              threshold_of(pairs), ones.empty() ? "" : ": ", enumerated(ones))) +
         "\n";
}

// Returns sentences about all metrics that are judged. Says of each whether a case got worse.
std::string all_called(const Comparison& comparison, const std::vector<std::string>& names) {
  std::string text;
  for (const auto& row : schema::ClosedSet<GatedMetric>::kRows) {
    text += called(comparison, row.value, Verdict::slower, names);
    const bool is_any_better = std::any_of(
        comparison.cases.begin(), comparison.cases.end(),
        [&](const CaseComparison& pair) { return pair.metric == row.value && pair.verdict == Verdict::faster; });
    if (is_any_better) text += called(comparison, row.value, Verdict::faster, names);
  }
  return text;
}

// Returns a line such as "- a: +10.4 %, +2.0 … +19.4: slower, perhaps by less than 2 %; run both
// again with --repeats 11".
std::string undecided_line(const CaseComparison& pair, const std::string& name) {
  std::string line = "- " + metric_of(pair.metric) + name + ": ";
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
  return fmt::format("{}: {}.\n", what, enumerated(ones));
}

std::string narrow(const Comparison& comparison) {
  const bool is_any = std::ranges::any_of(comparison.cases, [](const CaseComparison& pair) {
    return pair.ratio && pair.metric == GatedMetric::step &&
           (is_far_narrower(pair.ratio->low, pair.ratio->high, pair.before->ci95) ||
            is_far_narrower(pair.ratio->low, pair.ratio->high, pair.after->ci95));
  });
  return is_any ? narrow_words("change") + "\n" : "";
}

void add_metric_column(Grid& grid, const Comparison& comparison) {
  grid.titles.insert(grid.titles.begin() + 1, "metric");
  grid.right.insert(grid.right.begin() + 1, false);
  for (std::size_t i = 0; i < grid.rows.size(); ++i) {
    const GatedMetric metric = i < comparison.cases.size() ? comparison.cases[i].metric : GatedMetric::step;
    std::vector<std::string>& cells = grid.rows[i].cells;
    cells.insert(cells.begin() + 1, to_string(metric));
  }
}

}  // namespace

Grid comparison_grid(const Comparison& comparison) {
  Grid grid{
      {"case", "before", "after", "change", "95 % interval", "verdict"}, {false, true, true, true, true, false}, {}};
  const std::vector<std::string> names = names_of(comparison);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const CaseComparison& pair = comparison.cases[i];
    grid.rows.push_back({{names[i], value_text(pair.before, pair.metric), value_text(pair.after, pair.metric),
                          change_text(pair), interval_text(pair), verdict_text(pair)},
                         paint_of(pair.verdict)});
  }
  if (const auto& mean = comparison.mean)
    grid.rows.push_back(
        {{"geometric mean", "", "", format_change(mean->value), format_changes(*mean), ""}, Paint::none});
  if (comparison.has_other_metrics()) add_metric_column(grid, comparison);
  return grid;
}

std::string verdict_words(const CaseComparison& pair) {
  std::string verdict = verdict_text(pair);
  if (!pair.ratio && !pair.within_launch_ratio) return verdict;
  const std::string stands = standing(pair);
  return verdict + ": " + value_text(pair.before, pair.metric) + " → " + value_text(pair.after, pair.metric) + ", " +
         change_text(pair) + " (" + interval_text(pair) + ")" + (stands.empty() ? "" : ": " + stands);
}

std::string comparison_table(const Comparison& comparison, bool colour) {
  return aligned(comparison_grid(comparison), colour);
}

std::string comparison_markdown(const Comparison& comparison) {
  return markdown(comparison_grid(comparison));
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
  const std::vector<std::string> names = names_of(comparison);
  const std::string text =
      all_called(comparison, names) + left_out(comparison, names) + undecided(comparison, names) + narrow(comparison);
  std::string clean;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    clean += printable(text.substr(begin, end - begin)) + "\n";
    begin = end + 1;
  }
  return clean;
}

}  // namespace mpsbench::output
