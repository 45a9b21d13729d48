#include "run/plan/time_plan.hpp"

#include "base/units.hpp"
#include "stats/interval.hpp"
#include "stats/summary.hpp"
#include "suite/host.hpp"
#include "supervise/run_order.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <vector>

namespace mpsbench::run {

namespace {

// Estimates the seconds of another launch of PLANNED: the mean of its launches so far, without those that
// also compared results with a reference, unless all did.
double launch_seconds(const schema::RunRecord& record, const schema::PlannedCase& planned) {
  const std::vector<schema::Launch>& launches = record.launches.at(planned.id);
  std::vector<double> seconds;
  for (const schema::Launch& launch : launches) {
    if (launch.agreement.empty()) seconds.push_back(launch.wall_seconds);
  }
  if (seconds.empty()) {
    for (const schema::Launch& launch : launches) seconds.push_back(launch.wall_seconds);
  }
  return planned.cooldown_seconds + stats::mean_of(seconds);
}

// Half the width of the interval of a case with so many launches, at least two, in standard deviations of a launch.
double half_width(std::int64_t launches) {
  const auto count = static_cast<double>(launches);
  return stats::student_factor(count - 1, stats::kConfidence) / std::sqrt(count);
}

// By how much another launch narrows that interval.
double narrowing(std::int64_t launches) {
  if (launches < 2) return std::numeric_limits<double>::infinity();
  return half_width(launches) - half_width(launches + 1);
}

std::int64_t disturbed_launches(const schema::RunRecord& record, const schema::PlannedCase& planned) {
  return std::ranges::count_if(record.launches.at(planned.id),
                               [](const schema::Launch& one) { return one.disturbed.has_value(); });
}

// A case that may get more launches.
struct Candidate {
  schema::PlannedCase* planned = nullptr;
  std::int64_t wanted = 0;     // launches in total
  std::int64_t disturbed = 0;  // of those so far
  double launch_seconds = 0;   // of one launch
  double claim = 0;            // the next launch is for the case with the largest claim
};

double claim_of(const Candidate& one) {
  return narrowing(one.planned->repeats - one.disturbed) / one.launch_seconds;
}

std::vector<Candidate> candidates_of(schema::RunRecord& record, const report::RequiredLaunches& plan) {
  std::vector<Candidate> candidates;
  for (schema::PlannedCase& planned : record.run.planned) {
    const auto wanted = plan.find(planned.id);
    if (wanted == plan.end() || planned.repeats >= wanted->second) continue;
    Candidate& one = candidates.emplace_back();
    one.planned = &planned;
    one.wanted = wanted->second;
    one.disturbed = disturbed_launches(record, planned);
    one.launch_seconds = launch_seconds(record, planned);
    one.claim = claim_of(one);
  }
  return candidates;
}

constexpr double kLeastLaunches = 3;
// A launch measures at most for this part of its case's share of the limit. So more than half of the time is
// left for set-up, first steps, and more launches than the first ones: beside other programs, half of the
// launches may be disturbed.
constexpr double kPartsOfAShare = 4 * kLeastLaunches;
constexpr double kLeastSeconds = 0.5;
// The rest is for launches that take longer than the first ones did.
constexpr double kUsedShare = 0.95;
// What a launch takes besides measuring, on a busy machine: loading LibTorch, opening the device, weights.
constexpr double kCpuSetupSeconds = 2;
constexpr double kGpuSetupSeconds = 3;

// Returns the part of the launches so far that were disturbed.
double disturbed_share(const schema::RunRecord& record) {
  double all = 0;
  double disturbed = 0;
  for (const auto& [id, launches] : record.launches) {
    for (const schema::Launch& launch : launches) {
      all += 1;
      disturbed += launch.disturbed ? 1 : 0;
    }
  }
  return all > 0 ? disturbed / all : 0;
}

}  // namespace

bool can_have_more(const schema::RunRecord& record, const schema::PlannedCase& planned) {
  const std::vector<schema::Launch>& launches = supervise::launches_of(record, planned.id);
  return !launches.empty() &&
         std::ranges::all_of(launches, [](const schema::Launch& one) { return one.status == schema::Status::ok; });
}

report::RequiredLaunches repeats_of_disturbed(const schema::RunRecord& record) {
  report::RequiredLaunches wanted;
  if (!record.run.repeats_disturbed) return wanted;
  for (const schema::PlannedCase& planned : record.run.planned) {
    if (!can_have_more(record, planned)) continue;
    const std::int64_t most = planned.repeats - planned.repeated;
    const std::int64_t open = std::min(disturbed_launches(record, planned), most) - planned.repeated;
    if (open > 0) wanted[planned.id] = planned.repeats + open;
  }
  return wanted;
}

AddedLaunches add_launches(schema::RunRecord& record, const report::RequiredLaunches& plan, double budget_seconds) {
  AddedLaunches added;
  std::vector<Candidate> candidates = candidates_of(record, plan);
  while (!candidates.empty()) {
    const auto next = std::ranges::max_element(candidates, {}, &Candidate::claim);
    schema::PlannedCase& planned = *next->planned;
    const bool fits = added.seconds + next->launch_seconds <= budget_seconds;
    if (fits) {
      ++planned.repeats;
      next->claim = claim_of(*next);
      added.seconds += next->launch_seconds;
      added.cases.insert(planned.id);
    }
    added.is_cut_short = added.is_cut_short || !fits;
    if (!fits || planned.repeats == next->wanted) candidates.erase(next);
  }
  return added;
}

bool counts_launches(const RunRequest& request) {
  return std::ranges::any_of(request.matrices, [](const suite::Settings& matrix) {
    return matrix.repeats.has() || matrix.dump_first_step.has();
  });
}

TimeLimit time_limit_of(const RunRequest& request, schema::Purpose purpose) {
  const suite::Settings& settings = request.settings;
  const bool is_plain = purpose == schema::Purpose::plain;
  const std::initializer_list<const suite::AnySetting*> longer{&settings.repeats, &settings.max_time_seconds,
                                                               &settings.cooldown_seconds, &settings.ceilings};
  const bool is_timed_otherwise = !is_plain || std::ranges::any_of(longer, &suite::AnySetting::is_on_command_line);
  if (!settings.time_limit_seconds.is_on_command_line() && is_timed_otherwise) return {};
  const auto seconds = settings.time_limit_seconds.optional();
  return {seconds, seconds && is_plain && !counts_launches(request)};
}

void shorten_launches(suite::PlannedCases& plan, const suite::Host& host, double limit_seconds) {
  double cases = 0;
  double setup = 0;
  const auto count = [&](const schema::PlannedCase& planned) {
    if (!suite::why_unsupported(planned.spec, host.devices, host.launched).empty()) return;
    cases += 1;
    setup += planned.spec.device.row().is_host ? kCpuSetupSeconds : kGpuSetupSeconds;
  };
  for (const schema::PlannedCase& planned : plan.cases) count(planned);
  for (const suite::OpenCase& open : plan.open) count(open.first(host));
  if (cases == 0) return;
  const double part = std::min(limit_seconds / kPartsOfAShare, limit_seconds / kLeastLaunches - setup) / cases;
  const auto shorten = [part](schema::MeasureSpec& measure) {
    const bool is_timed = measure.warmup.kind == schema::WarmupSpec::Kind::seconds;
    const double least = std::max(measure.min_time_seconds, kLeastSeconds) + (is_timed ? measure.warmup.amount : 0);
    measure.max_time_seconds = std::min(measure.max_time_seconds, std::max(part, least));
  };
  for (schema::PlannedCase& planned : plan.cases) shorten(planned.measure);
  for (suite::OpenCase& open : plan.open) {
    schema::PlannedCase first = open.first(host);
    shorten(first.measure);
    open.settings.max_time_seconds.set(first.measure.max_time_seconds * static_cast<double>(first.repeats),
                                       "time limit");
  }
}

// The numbers of launches depend on how long launches take and on what disturbs them from outside, but never
// on how much launches differ. Otherwise a case whose first launches agree by chance would get fewer, and its
// interval would be too narrow.
AddedLaunches fill_time(schema::RunRecord& record, double seconds) {
  report::RequiredLaunches wanted;
  for (const schema::PlannedCase& planned : record.run.planned) {
    if (can_have_more(record, planned)) wanted[planned.id] = report::kMostPlanned + planned.repeated;
  }
  // Leaves time to repeat as many launches as were disturbed so far.
  return add_launches(record, wanted, seconds * kUsedShare / (1 + disturbed_share(record)));
}

std::string fill_words(const schema::RunRecord& record, const AddedLaunches& added) {
  std::size_t more = 0;
  std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
  std::int64_t most = 0;
  for (const schema::PlannedCase& planned : record.run.planned) {
    if (!can_have_more(record, planned)) continue;
    more += static_cast<std::size_t>(planned.repeats) - record.launches.at(planned.id).size();
    fewest = std::min(fewest, planned.repeats);
    most = std::max(most, planned.repeats);
  }
  if (most == 0) return "";
  const std::string limit = base::format_duration(record.run.planned_within_seconds.value());
  if (more == 0) return "planned within " + limit + ": no time for more launches";
  const std::string each = (fewest < most ? std::to_string(fewest) + " to " : "") + std::to_string(most);
  return "planned within " + limit + ": " + base::counted(more, "more launch", "more launches") + " (" + each +
         " per case), about " + base::format_duration(added.seconds);
}

}  // namespace mpsbench::run
