#include "output/console/disturbances.hpp"

#include "base/units.hpp"
#include "output/text/interval_text.hpp"
#include "output/text/text.hpp"
#include "report/metrics/counted_launches.hpp"
#include "report/metrics/flags.hpp"
#include "stats/summary.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <optional>

namespace mpsbench::output {
namespace {

using schema::CaseResult;
using schema::Launch;

double sensor(const Launch& launch, const char* name) {
  return schema::sensor_value(launch.sensors, name).value_or(0);
}

std::optional<Disturbance> other_processes(const std::vector<const Launch*>& launches) {
  std::vector<double> shares;
  for (const Launch* launch : launches) {
    const auto share = schema::sensor_value(launch->sensors, schema::sensor::kOtherCpuShare);
    if (share) shares.push_back(*share);
  }
  const auto busy = std::ranges::count_if(shares, [](double share) { return share > schema::kBackgroundCpuShare; });
  if (busy == 0) return std::nullopt;
  const double mean = stats::mean_of(shares);
  const char* cure = "close other programs";
  if (mean > schema::kBackgroundCpuShare)
    return Disturbance{
        fmt::format("other processes took {:.0f} % of the CPU{}", mean * 100, shares.size() > 1 ? " on average" : ""),
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
  return Disturbance{fmt::format("{} {} of {}", what, count, base::counted(launches.size(), "launch", "launches")),
                     cure};
}

// The host of a virtual machine moves its CPUs between near and far cores. Cases may use different CPUs.
std::optional<Disturbance> moved_cpus(const std::vector<const CaseResult*>& cases) {
  constexpr double kFar = 2;  // times the least distance
  double farthest = 0;
  double least = 0;
  std::size_t far = 0;
  std::size_t all = 0;
  for (const CaseResult* result : cases) {
    std::vector<double> distances;
    for (const Launch* launch : timed_launches(*result)) {
      if (const auto one = schema::sensor_value(launch->sensors, schema::sensor::kCpuDistance))
        distances.push_back(*one);
    }
    if (distances.empty()) continue;
    const double nearest = std::ranges::min(distances);
    far += static_cast<std::size_t>(std::ranges::count_if(distances, [&](double one) { return one > kFar * nearest; }));
    all += distances.size();
    if (std::ranges::max(distances) <= farthest) continue;
    farthest = std::ranges::max(distances);
    least = nearest;
  }
  if (far == 0) return std::nullopt;
  return Disturbance{fmt::format("this machine's CPUs were farther apart (a cache line took {:.0f} ns instead of "
                                 "{:.0f} ns there and back) in {} of {} launches",
                                 farthest * 1e9, least * 1e9, far, all),
                     "measure again later"};
}

}  // namespace

std::string listed(const std::vector<std::string>& texts, const std::string& last) {
  std::string text;
  for (std::size_t i = 0; i < texts.size(); ++i) text += (i == 0 ? "" : i + 1 == texts.size() ? last : ", ") + texts[i];
  return text;
}

std::string chained(const std::string& first, const std::string& second) {
  return first + (first.empty() || second.empty() ? "" : " ") + second;
}

std::vector<Disturbance> disturbances(const std::vector<const CaseResult*>& cases) {
  std::vector<const Launch*> launches;
  for (const CaseResult* result : cases) std::ranges::copy(timed_launches(*result), std::back_inserter(launches));
  const auto saves_power = [](const Launch& launch) { return sensor(launch, schema::sensor::kLowPowerMode) > 0; };
  const std::optional<Disturbance> all[] = {
      other_processes(launches),
      counted_disturbance(
          launches, [](const Launch& launch) { return launch.disturbed == schema::Disturbance::stopped; },
          "a signal or the machine's sleep stopped", "let the run go on without a stop"),
      moved_cpus(cases),
      counted_disturbance(
          launches,
          [](const Launch& launch) {
            return sensor(launch, schema::sensor::kGpuOtherUtilization) > schema::kBackgroundGpuShare;
          },
          "other programs used the GPU just before", "close other programs"),
      counted_disturbance(
          launches,
          [&](const Launch& launch) {
            return report::is_throttled(launch) && !saves_power(launch) && !report::was_paused_by_quota(launch);
          },
          "heat or a power brake slowed the machine down in", "let it cool down with --cooldown 30s"),
      counted_disturbance(launches, report::was_paused_by_quota, "a control group's CPU quota paused",
                          "raise the quota (cpu.max, docker --cpus, a pod's limits) or lower --threads"),
      counted_disturbance(launches, saves_power, "a low-power mode was on in", "turn off the low-power mode"),
      std::ranges::any_of(cases,
                          [](const CaseResult* result) {
                            return std::ranges::find(result->flags, "on-battery") != result->flags.end();
                          })
          ? std::optional(Disturbance{"the machine ran on its battery", "plug it in"})
          : std::nullopt};
  std::vector<Disturbance> found;
  for (const auto& one : all) {
    if (one) found.push_back(*one);
  }
  return found;
}

std::string disturbed_remark(const std::vector<const CaseResult*>& cases) {
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
                                all.good - all.counted == 1 ? "was" : "were", listed(reasons, " and ")));
  if (unaided == 0) return text;
  const std::string who = cases.size() == 1         ? "the case has"
                          : unaided == cases.size() ? "each case has"
                          : unaided == 1            ? fmt::format("1 of {} cases has", cases.size())
                                                    : fmt::format("{} of {} cases have", unaided, cases.size());
  return chained(text, sentence(fmt::format("{} fewer than {} undisturbed launches, so disturbed ones count, too", who,
                                            report::kLeastUndisturbed)));
}

}  // namespace mpsbench::output
