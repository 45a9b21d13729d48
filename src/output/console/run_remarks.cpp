#include "output/console/run_remarks.hpp"

#include "base/units.hpp"
#include "output/text/cases.hpp"
#include "output/text/figures.hpp"
#include "output/text/text.hpp"
#include "report/compare/required_launches.hpp"
#include "report/metrics/counted_launches.hpp"
#include "report/metrics/flags.hpp"
#include "schema/run_info.hpp"
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
using Cases = std::vector<const CaseResult*>;

constexpr std::array<std::string_view, 5> kToldInWords{"noisy", "throttled", "background-load", "on-battery",
                                                       "within-launch"};
constexpr std::int64_t kMostAdvised = 50;   // more launches than this are no advice
constexpr std::int64_t kUsualLaunches = 3;  // advised to those who had only one

// Joins two sentences, either of which may be empty.
std::string chained(const std::string& first, const std::string& second) {
  return first + (first.empty() || second.empty() ? "" : " ") + second;
}

// Returns the subject of a sentence about SOME of ALL cases.
std::string who_has(std::size_t some, std::size_t all) {
  if (some == all) return all == 1 ? "the case has" : "each case has";
  return fmt::format("{} of {} cases {}", some, all, some == 1 ? "has" : "have");
}

std::vector<const Launch*> all_launches(const Cases& cases) {
  std::vector<const Launch*> launches;
  for (const CaseResult* result : cases) std::ranges::copy(timed_launches(*result), std::back_inserter(launches));
  return launches;
}

std::vector<double> readings(const std::vector<const Launch*>& launches, const char* sensor) {
  std::vector<double> values;
  for (const Launch* launch : launches) {
    if (const auto value = schema::sensor_value(launch->sensors, sensor)) values.push_back(*value);
  }
  return values;
}

std::string other_processes(const Cases& cases) {
  const std::vector<double> shares = readings(all_launches(cases), schema::sensor::kOtherCpuShare);
  const auto busy = std::ranges::count_if(shares, [](double share) { return share > schema::kBackgroundCpuShare; });
  if (busy == 0) return "";
  const double mean = stats::mean_of(shares);
  if (mean > schema::kBackgroundCpuShare)
    return fmt::format("other processes took {:.0f} % of the CPU{}", mean * 100,
                       shares.size() > 1 ? " on average" : "");
  return fmt::format("other processes took up to {:.0f} % of the CPU in {} of {} launches",
                     std::ranges::max(shares) * 100, busy, shares.size());
}

// The host of a virtual machine moves its CPUs between near and far cores. Cases may use different CPUs.
std::string moved_cpus(const Cases& cases) {
  constexpr double kFar = 2;  // times the least distance
  double farthest = 0;
  double least = 0;
  std::size_t far = 0;
  std::size_t all = 0;
  for (const CaseResult* result : cases) {
    const std::vector<double> distances = readings(timed_launches(*result), schema::sensor::kCpuDistance);
    if (distances.empty()) continue;
    const auto [nearest, most] = std::ranges::minmax(distances);
    far += static_cast<std::size_t>(std::ranges::count_if(distances, [&](double one) { return one > kFar * nearest; }));
    all += distances.size();
    if (most <= farthest) continue;
    farthest = most;
    least = nearest;
  }
  if (far == 0) return "";
  return fmt::format(
      "this machine's CPUs were farther apart (a cache line took {:.0f} ns instead of {:.0f} ns there and back) in {} "
      "of {} launches",
      farthest * 1e9, least * 1e9, far, all);
}

std::string battery(const Cases& cases) {
  const bool is_any =
      std::ranges::any_of(cases, [](const CaseResult* result) { return has_flag(*result, "on-battery"); });
  return is_any ? "the machine ran on its battery" : "";
}

bool saves_power(const Launch& launch) {
  return schema::sensor_value(launch.sensors, schema::sensor::kLowPowerMode) > 0.0;
}

// What may have made launches slower.
struct Disturbance {
  const char* what;  // followed by how many launches it HOLDS for
  const char* cure;
  bool (*holds)(const Launch&) = nullptr;
  std::string (*words)(const Cases&) = nullptr;  // in place of WHAT; empty if there is nothing to say
};

constexpr Disturbance kDisturbances[] = {
    {nullptr, "close other programs", nullptr, other_processes},
    {"a signal or the machine's sleep stopped", "let the run go on without a stop",
     [](const Launch& launch) { return launch.disturbed == schema::Disturbance::stopped; }},
    {nullptr, "measure again later", nullptr, moved_cpus},
    {"other programs used the GPU just before", "close other programs",
     [](const Launch& launch) {
       const auto share = schema::sensor_value(launch.sensors, schema::sensor::kGpuOtherUtilization);
       return share > schema::kBackgroundGpuShare;
     }},
    {"heat or a power brake slowed the machine down in", "let it cool down with --cooldown 30s",
     [](const Launch& launch) {
       return report::is_throttled(launch) && !saves_power(launch) && !report::was_paused_by_quota(launch);
     }},
    {"a control group's CPU quota paused",
     "raise the quota (cpu.max, docker --cpus, a pod's limits) or lower --threads", report::was_paused_by_quota},
    {"a low-power mode was on in", "turn off the low-power mode", saves_power},
    {nullptr, "plug it in", nullptr, battery}};

// Returns an empty text if ONE did not disturb any launch.
std::string disturbance_words(const Disturbance& one, const Cases& cases) {
  if (one.words != nullptr) return one.words(cases);
  const std::vector<const Launch*> launches = all_launches(cases);
  const auto count = std::ranges::count_if(launches, [&](const Launch* launch) { return one.holds(*launch); });
  return count == 0 ? ""
                    : fmt::format("{} {} of {}", one.what, count, base::counted(launches.size(), "launch", "launches"));
}

// Says how many launches were set aside, and of which cases too few are left for that. Empty if no launch was
// disturbed.
std::string disturbed_remark(const Cases& cases) {
  report::LaunchCounts all;
  std::size_t unaided = 0;  // cases whose disturbed launches count
  std::vector<std::string> reasons;
  for (const CaseResult* result : cases) {
    const report::LaunchCounts one = report::launch_counts(result->launches);
    all.good += one.good;
    all.counted += one.counted;
    if (one.counted == one.good) {
      unaided += one.disturbed > 0 ? 1 : 0;
      continue;
    }
    for (const Launch& launch : result->launches) {
      const std::string reason = launch.disturbed ? to_string(*launch.disturbed) : "";
      if (!reason.empty() && std::ranges::find(reasons, reason) == reasons.end()) reasons.push_back(reason);
    }
  }
  std::string text;
  if (all.counted < all.good)
    text = sentence(fmt::format("{} of {} launches {} disturbed ({}) and set aside", all.good - all.counted, all.good,
                                all.good - all.counted == 1 ? "was" : "were", listed(reasons)));
  if (unaided == 0) return text;
  return chained(text, sentence(fmt::format("{} fewer than {} undisturbed launches, so disturbed ones count, too",
                                            who_has(unaided, cases.size()), report::kLeastUndisturbed)));
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

// How the user of a report gets more or longer launches.
class Remedy {
 public:
  explicit Remedy(const schema::Report& report)
      : limit_seconds_(report.run.planned_within_seconds),
        is_of_loops_(!report.run.definitions.empty() &&
                     std::ranges::all_of(report.run.definitions,
                                         [](const auto& one) { return schema::is_timed_loop(one.second); })) {
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

Advice advice_for(const Cases& noisy, const Remedy& remedy) {
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

std::string width_words(const schema::Report& report, const Cases& noisy) {
  const std::size_t cases = report.cases.size();
  const auto known = std::ranges::count_if(noisy, [](const auto* one) { return has_flag(*one, "noisy"); });
  std::string limit = " uncertain ";
  if (known > 0) limit += fmt::format("by more than ±{:g} %", report::kNoisyHalfWidth * 100);
  if (known < std::ssize(noisy)) limit += std::string(known > 0 ? " or " : "") + "to an unknown extent (±?)";
  if (cases == 1) return "the time is" + limit;
  if (noisy.size() == cases) return fmt::format("the times of all {} cases are", cases) + limit;
  if (noisy.size() > 1) return fmt::format("the times of {} of {} cases are", noisy.size(), cases) + limit;
  const auto at = static_cast<std::size_t>(noisy.front() - report.cases.data());
  return fmt::format("the time of 1 of {} cases is{} ({})", cases, limit, short_names(report.cases)[at]);
}

std::string single_launch_words(const std::vector<CaseResult>& cases, const Remedy& remedy, const Need& need) {
  const auto singles = static_cast<std::size_t>(
      std::ranges::count_if(cases, [](const CaseResult& result) { return has_flag(result, "within-launch"); }));
  if (singles == 0) return "";
  return sentence(fmt::format("{} only one good launch, so nothing shows how much launches differ: {}",
                              who_has(singles, cases.size()), remedy.more("use ", need)));
}

std::string fewer_threads_remark(const schema::Report& report) {
  if (!report.run.fewer_threads) return "";
  const schema::FewerThreads& fewer = *report.run.fewer_threads;
  return fmt::format("Before the run, beside other programs, {} took {} with --threads {} instead of {} with {}.",
                     fewer.id, base::format_duration(fewer.step_seconds), fewer.threads,
                     base::format_duration(fewer.usual_step_seconds), fewer.usual_threads);
}

std::string tied_remark(const schema::Report& report) {
  std::string text;
  for (const schema::PlannedCase& planned : report.run.planned) {
    if (planned.tied_batches)
      text = chained(text, planned.id + ": batches of " + tied_words(*planned.tied_batches) + ".");
  }
  return text;
}

// The ceiling of generation is the memory's bandwidth.
std::string cache_remark(const Cases& cases) {
  const bool is_any = std::ranges::any_of(
      cases, [](const CaseResult* one) { return row_of(one->spec.mode).generates && one->metrics.ceiling_share > 1; });
  return is_any ? "More than 100 % of the ceiling: a processor's cache holds weights, so not all come from memory."
                : "";
}

std::string uncertainty_remark(const schema::Report& report, const Cases& cases) {
  Cases noisy;
  std::ranges::copy_if(cases, std::back_inserter(noisy), [](const CaseResult* one) { return is_uncertain(*one); });
  std::vector<std::string> whats;
  std::vector<std::string> cures;
  for (const Disturbance& one : kDisturbances) {
    const std::string what = disturbance_words(one, cases);
    if (what.empty()) continue;
    whats.push_back(what);
    if (std::ranges::find(cures, one.cure) == cures.end()) cures.emplace_back(one.cure);
  }
  const Remedy remedy(report);
  if (noisy.empty()) {
    const std::string disturbed =
        whats.empty() ? "" : sentence(listed(whats) + ", so times may be too long: " + listed(cures));
    return chained(disturbed, single_launch_words(report.cases, remedy, {}));
  }
  const Advice advice = advice_for(noisy, remedy);
  const std::string single =
      std::ranges::any_of(noisy, is_single) ? "" : single_launch_words(report.cases, remedy, advice.need);
  std::string text = listed(whats) + (whats.empty() ? "" : ", and ") + width_words(report, noisy) + ": ";
  if (advice.is_enough) cures.push_back(advice.text);
  text += listed(cures, {advice.is_enough ? ", or " : " and "});
  if (!advice.is_enough)
    text +=
        cures.empty() ? advice.text + "; mpsbench doctor shows what may disturb them" : "; otherwise " + advice.text;
  return chained(sentence(text), single);
}

}  // namespace

std::string run_remarks(const schema::Report& report) {
  Cases cases;
  for (const CaseResult& result : report.cases) {
    if (has_figures(result)) cases.push_back(&result);
  }
  if (cases.empty()) return "";
  return chained(chained(uncertainty_remark(report, cases), disturbed_remark(cases)),
                 chained(chained(fewer_threads_remark(report), tied_remark(report)), cache_remark(cases)));
}

std::string tied_words(const schema::TiedBatches& tied) {
  return fmt::format("{} to {} cannot be told apart here ({})", tied.least, tied.most, format_noise(tied.half_width));
}

bool is_told_in_words(const std::string& flag) {
  return std::ranges::find(kToldInWords, flag) != kToldInWords.end();
}

}  // namespace mpsbench::output
