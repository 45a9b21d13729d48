#include "output/console/run_remarks.hpp"

#include "base/counted.hpp"
#include "output/text/measured.hpp"
#include "output/text/short_ids.hpp"
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

struct Disturbance {
  std::string what;
  std::string cure;
};

bool has_flag(const CaseResult& result, std::string_view flag) {
  return std::ranges::find(result.flags, flag) != result.flags.end();
}

// Joins TEXTS as in "a, b and c".
std::string listed(const std::vector<std::string>& texts, const std::string& last) {
  std::string text;
  for (std::size_t i = 0; i < texts.size(); ++i)
    text += (i == 0 ? "" : i + 1 == texts.size() ? last : ", ") + texts[i];
  return text;
}

double sensor(const Launch& launch, const char* name) {
  return schema::sensor_value(launch.sensors, name).value_or(0);
}

std::optional<Disturbance> other_processes(const std::vector<const Launch*>& launches) {
  std::vector<double> shares;
  for (const Launch* launch : launches) {
    const auto share = schema::sensor_value(launch->sensors, schema::sensor::kOtherCpuShare);
    if (share) shares.push_back(*share);
  }
  const auto busy =
      std::ranges::count_if(shares, [](double share) { return share > report::kBackgroundCpuShare; });
  if (busy == 0) return std::nullopt;
  const double mean = stats::mean_of(shares);
  const char* cure = "close other programs";
  if (mean > report::kBackgroundCpuShare)
    return Disturbance{fmt::format("other processes took {:.0f} % of the CPU{}", mean * 100,
                                   shares.size() > 1 ? " on average" : ""),
                       cure};
  return Disturbance{fmt::format("other processes took up to {:.0f} % of the CPU in {} of {} launches",
                                 std::ranges::max(shares) * 100, busy, shares.size()),
                     cure};
}

// Returns nullopt if HOLDS is true for no launch. WHAT is followed by the number of launches for which it is.
template <typename Holds>
std::optional<Disturbance> counted_disturbance(const std::vector<const Launch*>& launches, const Holds& holds,
                                               const std::string& what, const std::string& cure) {
  const auto count = std::ranges::count_if(launches, [&](const Launch* launch) { return holds(*launch); });
  if (count == 0) return std::nullopt;
  return Disturbance{
      fmt::format("{} {} of {}", what, count, base::counted(launches.size(), "launch", "launches")), cure};
}

std::vector<Disturbance> disturbances(const std::vector<const CaseResult*>& cases) {
  std::vector<const Launch*> launches;
  for (const CaseResult* result : cases)
    std::ranges::copy(timed_launches(*result), std::back_inserter(launches));
  const auto saves_power = [](const Launch& launch) {
    return sensor(launch, schema::sensor::kLowPowerMode) > 0;
  };
  const std::optional<Disturbance> all[] = {
      other_processes(launches),
      counted_disturbance(
          launches,
          [](const Launch& launch) {
            return sensor(launch, schema::sensor::kGpuOtherUtilization) > report::kBackgroundGpuShare;
          },
          "other programs used the GPU just before", "close other programs"),
      counted_disturbance(
          launches,
          [&](const Launch& launch) {
            return report::is_throttled(launch) && !saves_power(launch) &&
                   !report::was_paused_by_quota(launch);
          },
          "heat or a power brake slowed the machine down in", "let it cool down with --cooldown auto"),
      counted_disturbance(launches, report::was_paused_by_quota, "a control group's CPU quota paused",
                          "raise the quota (cpu.max, docker --cpus, a pod's limits) or lower --threads"),
      counted_disturbance(launches, saves_power, "a low-power mode was on in", "turn off the low-power mode"),
      std::ranges::any_of(cases, [](const CaseResult* result) { return has_flag(*result, "on-battery"); })
          ? std::optional(Disturbance{"the machine ran on its battery", "plug it in"})
          : std::nullopt};
  std::vector<Disturbance> found;
  for (const auto& one : all) {
    if (one) found.push_back(*one);
  }
  return found;
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
  return !run.definitions.empty() && std::ranges::all_of(run.definitions, [](const auto& one) {
    return schema::is_timed_loop(one.second);
  });
}

// How the user of a report gets more or longer launches.
class Remedy {
 public:
  explicit Remedy(const schema::Report& report)
      : limit_seconds_(report.run.planned_within_seconds), is_of_loops_(is_of_loops(report.run)) {
    const bool is_incomplete = std::ranges::any_of(
        report.cases, [](const CaseResult& result) { return has_flag(result, "incomplete"); });
    if (is_incomplete && !report.run.planned.empty())
      unfinished_launches_ = std::ranges::min(report.run.planned, {}, &schema::PlannedCase::repeats).repeats;
  }

  [[nodiscard]] std::int64_t most_launches() const {
    return limit_seconds_ ? report::kMostPlanned : kMostAdvised;
  }
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
  const auto needed =
      stats::launches_for_width({*deviation * *deviation, static_cast<double>(logs.size() - 1), 1},
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
    if (!needed)
      return {fmt::format("more than {} launches per case would be needed", remedy.most_launches()), false};
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

std::string single_launch_words(const std::vector<CaseResult>& cases, const Remedy& remedy,
                                const Need& need) {
  const auto singles = static_cast<std::size_t>(std::ranges::count_if(
      cases, [](const CaseResult& result) { return has_flag(result, "within-launch"); }));
  if (singles == 0) return "";
  const std::string who = singles == cases.size() ? (singles == 1 ? "the case has" : "each case has")
                                                  : fmt::format("{} of {} cases {}", singles, cases.size(),
                                                                singles == 1 ? "has" : "have");
  return sentence(fmt::format("{} only one good launch, so nothing shows how much launches differ: {}", who,
                              remedy.more("use ", need)));
}

}  // namespace

std::string run_remarks(const schema::Report& report) {
  std::vector<const CaseResult*> cases;
  std::vector<const CaseResult*> noisy;
  for (const CaseResult& result : report.cases) {
    if (!has_figures(result)) continue;
    cases.push_back(&result);
    if (is_uncertain(result)) noisy.push_back(&result);
  }
  if (cases.empty()) return "";
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
    return disturbed + (single.empty() ? "" : " " + single);
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

bool is_told_in_words(const std::string& flag) {
  return std::ranges::find(kToldInWords, flag) != kToldInWords.end();
}

}  // namespace mpsbench::output
