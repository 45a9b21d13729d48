#include "output/console/run_remarks.hpp"

#include "base/units.hpp"
#include "output/console/disturbances.hpp"
#include "output/text/interval_text.hpp"
#include "output/text/text.hpp"
#include "report/compare/required_launches.hpp"
#include "report/metrics/flags.hpp"
#include "schema/timed_loop.hpp"
#include "stats/interval.hpp"
#include "stats/launches_needed.hpp"
#include "stats/summary.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

namespace mpsbench::output {
namespace {

using schema::CaseResult;
using schema::Launch;

constexpr std::array<std::string_view, 5> kToldInWords{"noisy", "throttled", "background-load", "on-battery",
                                                       "within-launch"};
constexpr std::int64_t kMostAdvised = 50;   // more launches than this are no advice
constexpr std::int64_t kUsualLaunches = 3;  // advised to those who had only one

bool has_flag(const CaseResult& result, std::string_view flag) {
  return std::ranges::find(result.flags, flag) != result.flags.end();
}

// What cases need: LAUNCHES each, which is TIMES as many as they have.
struct Need {
  std::int64_t launches = kUsualLaunches;
  double times = static_cast<double>(kUsualLaunches);

  void raise(std::int64_t needed, std::size_t present) {
    launches = std::max(launches, needed);
    times = std::max(times, static_cast<double>(needed) / static_cast<double>(present));
  }
};

bool is_of_loops(const schema::RunInfo& run) {
  return !run.definitions.empty() &&
         std::ranges::all_of(run.definitions, [](const auto& one) { return schema::is_timed_loop(one.second); });
}

// How the user of a report gets more or longer launches.
class Remedy {
 public:
  explicit Remedy(const schema::Report& report)
      : limit_seconds_(report.run.planned_within_seconds), is_of_loops_(is_of_loops(report.run)) {
    const bool is_incomplete =
        std::ranges::any_of(report.cases, [](const CaseResult& result) { return has_flag(result, "incomplete"); });
    if (is_incomplete && !report.run.planned.empty())
      unfinished_launches_ = std::ranges::min(report.run.planned, {}, &schema::PlannedCase::repeats).repeats;
  }

  [[nodiscard]] std::int64_t most_launches() const { return limit_seconds_ ? report::kMostPlanned : kMostAdvised; }
  // INTRO says what the option is for.
  [[nodiscard]] std::string more(const std::string& intro, const Need& need) const {
    if (is_of_loops_) return fmt::format("run the program {} times and merge the reports", need.launches);
    if (need.launches <= unfinished_launches_) return "finish the run with --resume";
    if (limit_seconds_) return intro + longer_limit(*limit_seconds_ * need.times);
    return intro + fmt::format("-r {}", need.launches);
  }
  [[nodiscard]] std::string longer() const {
    if (is_of_loops_) return "measure longer with measure.max_time_seconds";
    return "measure longer with " + (limit_seconds_ ? longer_limit(*limit_seconds_ * 2) : "--max-time");
  }

 private:
  static std::string longer_limit(double seconds) {
    constexpr double kMinute = 60;
    return seconds < kMinute ? fmt::format("--time-limit {:.0f}s", std::ceil(seconds))
                             : fmt::format("--time-limit {:.0f}m", std::ceil(seconds / kMinute));
  }

  std::optional<double> limit_seconds_;
  bool is_of_loops_;
  std::int64_t unfinished_launches_ = 0;  // that each case has after --resume; 0: the run is complete
};

// Returns how many launches would narrow the interval of the LAUNCHES' medians to what is not flagged, as far
// as their spread tells. Returns nullopt if they would be more than MOST.
std::optional<std::int64_t> launches_needed(const std::vector<double>& launches, std::int64_t most) {
  std::vector<double> logs;
  for (const double median : launches) logs.push_back(std::log(median));
  const auto deviation = stats::stddev(logs);
  if (!deviation || !std::isfinite(*deviation)) return std::nullopt;
  // As for the case's own interval, one side has all the variance.
  const auto needed = stats::launches_for_width({*deviation * *deviation, static_cast<double>(logs.size() - 1), 1},
                                                stats::kConfidence, std::log1p(report::kNoisyHalfWidth));
  return needed && *needed <= most ? needed : std::nullopt;
}

bool is_single(const CaseResult* result) {
  return timed_launches(*result).size() < 2;
}

// What would make the intervals of noisy cases narrow.
struct Advice {
  std::string text;
  bool is_enough = true;
  Need need{};  // of single launches, too
};

Advice advice_for(const std::vector<const CaseResult*>& noisy, const Remedy& remedy) {
  const std::string intro = "give each case more launches: ";
  if (std::ranges::any_of(noisy, is_single)) return {remedy.more(intro, {})};
  Need need{0, 1};
  bool is_beyond_now = false;
  for (const CaseResult* result : noisy) {
    const std::vector<const Launch*> launches = timed_launches(*result);
    std::vector<double> medians = median_steps(launches);
    if (!report::is_wide(result->metrics.step_seconds)) {
      medians.clear();
      for (const Launch* launch : launches) {
        if (const auto median = stats::median(launch->latency_samples_seconds)) medians.push_back(*median);
      }
    }
    const auto needed = launches_needed(medians, remedy.most_launches());
    if (!needed) return {fmt::format("more than {} launches per case would be needed", remedy.most_launches()), false};
    need.raise(*needed, launches.size());
    is_beyond_now = is_beyond_now || *needed > std::ssize(launches);
  }
  // If launches agree, each of them is too short to know its own median.
  if (!is_beyond_now) return {remedy.longer()};
  return {remedy.more(intro, need), true, need};
}

// A time without an interval is uncertain, too.
bool is_uncertain(const CaseResult& result) {
  return has_flag(result, "noisy") || !result.metrics.step_seconds.ci95;
}

std::string width_words(const schema::Report& report, const std::vector<const CaseResult*>& noisy) {
  const std::size_t cases = report.cases.size();
  const auto known = std::ranges::count_if(noisy, [](const auto* one) { return has_flag(*one, "noisy"); });
  std::string limit = " uncertain ";
  if (known > 0) limit += fmt::format("by more than ±{:g} %", report::kNoisyHalfWidth * 100);
  if (known < std::ssize(noisy)) limit += std::string(known > 0 ? " or " : "") + "to an unknown extent (±?)";
  if (cases == 1) return "the time is" + limit;
  if (noisy.size() == cases) return fmt::format("the times of all {} cases are", cases) + limit;
  if (noisy.size() > 1) return fmt::format("the times of {} of {} cases are", noisy.size(), cases) + limit;
  std::vector<std::string> ids;
  for (const CaseResult& result : report.cases) ids.push_back(result.id);
  const auto at = static_cast<std::size_t>(noisy.front() - report.cases.data());
  return fmt::format("the time of 1 of {} cases is{} ({})", cases, limit, short_ids(ids)[at]);
}

std::string single_launch_words(const std::vector<CaseResult>& cases, const Remedy& remedy, const Need& need) {
  const auto singles = static_cast<std::size_t>(
      std::ranges::count_if(cases, [](const CaseResult& result) { return has_flag(result, "within-launch"); }));
  if (singles == 0) return "";
  const std::string who = singles == cases.size()
                              ? (singles == 1 ? "the case has" : "each case has")
                              : fmt::format("{} of {} cases {}", singles, cases.size(), singles == 1 ? "has" : "have");
  return sentence(fmt::format("{} only one good launch, so nothing shows how much launches differ: {}", who,
                              remedy.more("use ", need)));
}

std::string fewer_threads_remark(const schema::Report& report) {
  if (!report.run.fewer_threads) return "";
  const schema::FewerThreads& fewer = *report.run.fewer_threads;
  return sentence(
      fmt::format("before the run, beside other programs, {} took {} with --threads {} instead of {} "
                  "with {}",
                  fewer.id, base::format_duration(fewer.step_seconds), fewer.threads,
                  base::format_duration(fewer.usual_step_seconds), fewer.usual_threads));
}

std::string tied_remark(const schema::Report& report) {
  std::string text;
  for (const schema::PlannedCase& planned : report.run.planned) {
    if (planned.tied_batches)
      text = chained(text, planned.id + ": batches of " + tied_words(*planned.tied_batches) + ".");
  }
  return text;
}

std::string uncertainty_remark(const schema::Report& report, const std::vector<const CaseResult*>& cases) {
  std::vector<const CaseResult*> noisy;
  std::ranges::copy_if(cases, std::back_inserter(noisy),
                       [](const CaseResult* result) { return is_uncertain(*result); });
  std::vector<std::string> whats;
  std::vector<std::string> cures;
  for (const Disturbance& one : disturbances(cases)) {
    whats.push_back(one.what);
    if (std::ranges::find(cures, one.cure) == cures.end()) cures.push_back(one.cure);
  }
  const Remedy remedy(report);
  if (noisy.empty()) {
    std::string single = single_launch_words(report.cases, remedy, {});
    if (whats.empty()) return single;
    const std::string disturbed =
        sentence(listed(whats, " and ") + ", so times may be too long: " + listed(cures, " and "));
    return chained(disturbed, single);
  }
  const Advice advice = advice_for(noisy, remedy);
  std::string single =
      std::ranges::any_of(noisy, is_single) ? "" : single_launch_words(report.cases, remedy, advice.need);
  if (!single.empty()) single.insert(0, " ");
  std::string text = listed(whats, " and ") + (whats.empty() ? "" : ", and ") + width_words(report, noisy);
  if (advice.is_enough) {
    cures.push_back(advice.text);
    return sentence(text + ": " + listed(cures, ", or ")) + single;
  }
  if (cures.empty())
    return sentence(text + ": " + advice.text + "; mpsbench doctor shows what may disturb them") + single;
  return sentence(text + ": " + listed(cures, " and ") + "; otherwise " + advice.text) + single;
}

}  // namespace

std::string run_remarks(const schema::Report& report) {
  std::vector<const CaseResult*> cases;
  for (const CaseResult& result : report.cases) {
    if (has_figures(result)) cases.push_back(&result);
  }
  if (cases.empty()) return "";
  return chained(chained(uncertainty_remark(report, cases), disturbed_remark(cases)),
                 chained(fewer_threads_remark(report), tied_remark(report)));
}

std::string tied_words(const schema::TiedBatches& tied) {
  return fmt::format("{} to {} cannot be told apart here ({})", tied.least, tied.most, format_noise(tied.half_width));
}

bool is_told_in_words(const std::string& flag) {
  return std::ranges::find(kToldInWords, flag) != kToldInWords.end();
}

}  // namespace mpsbench::output
