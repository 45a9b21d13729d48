#include "report/metrics/scaling.hpp"

#include "report/metrics/ceilings.hpp"
#include "report/metrics/counted_launches.hpp"
#include "report/metrics/flags.hpp"
#include "report/metrics/location.hpp"
#include "schema/case_spec.hpp"
#include "stats/significance.hpp"
#include "stats/summary.hpp"

#include <algorithm>
#include <cmath>

namespace mpsbench::report {
namespace {

constexpr const char* kEfficiency = "metrics.scaling_efficiency";
constexpr const char* kExposed = "metrics.communication_exposed_seconds";
constexpr const char* kHidden = "metrics.communication_hidden_seconds";
constexpr const char* kShare = "metrics.communication_ceiling_share";
constexpr const char* kOneProcess = "the launches run in one process";

std::int64_t batch_in_one_process(const schema::CaseSpec& spec) {
  return spec.scaling == schema::Scaling::strong ? schema::rows_per_step(spec) : spec.batch_size;
}

// Returns the slowest rank of a launch, if its step without averaging takes so much longer than the others'.
std::optional<Straggler> straggler_of(const std::vector<schema::RankResult>& ranks) {
  const auto seconds = [](const schema::RankResult& rank) { return rank.compute_step_seconds.value_or(0); };
  if (ranks.size() < 2) return std::nullopt;
  const auto slowest = std::ranges::max_element(ranks, {}, seconds);
  std::vector<double> others;
  for (const schema::RankResult& rank : ranks) {
    if (rank.rank != slowest->rank) others.push_back(seconds(rank));
  }
  const double usual = stats::median_of(others);
  if (!(usual > 0) || seconds(*slowest) <= usual * (1 + kStragglerExcess)) return std::nullopt;
  return Straggler{slowest->rank, seconds(*slowest) / usual - 1};
}

bool has_own_threads(const std::string& id) {
  return schema::CaseId(id).has_option("threads");
}

// Returns the seconds per row of each good launch.
std::vector<double> seconds_per_row(const schema::RunRecord& record, const schema::PlannedCase& planned) {
  std::vector<double> seconds;
  const auto launches = record.launches.find(planned.id);
  if (launches == record.launches.end()) return seconds;
  for (const schema::Launch* launch : counted_launches(launches->second)) {
    if (const auto rate = rows_per_second(planned.spec, *launch)) seconds.push_back(1 / *rate);
  }
  return seconds;
}

std::vector<double> logs_of(std::vector<double> values) {
  for (double& value : values) value = std::log(value);
  return values;
}

}  // namespace

schema::CaseSpec work_in_one_process(schema::CaseSpec spec) {
  spec.batch_size = batch_in_one_process(spec);
  spec.ranks = 1;
  spec.scaling = schema::Scaling::weak;
  spec.bucket_bytes.reset();
  spec.threads = 1;
  return spec;
}

ScalingFit scaling_fit(const std::string& one_id, const schema::CaseSpec& one, const std::string& many_id,
                       const schema::CaseSpec& many) {
  if (one.ranks != 1 || many.ranks == 1 || one.model != many.model || one.batch_size != batch_in_one_process(many))
    return ScalingFit::none;
  if (work_in_one_process(one) != work_in_one_process(many)) return ScalingFit::none;
  if (one.threads == many.threads) return ScalingFit::equal;
  return has_own_threads(one_id) || has_own_threads(many_id) ? ScalingFit::none : ScalingFit::default_threads;
}

void set_efficiency(const schema::RunRecord& record, const schema::PlannedCase& planned, schema::Metrics& metrics,
                    Notes& notes) {
  const schema::PlannedCase* one = one_process_case(planned, record.run.planned);
  if (one == nullptr) {
    notes[kEfficiency] = std::string("the run has no such case with one process: add 1 to ") +
                         (planned.spec.device.row().one_a_rank ? "--gpus" : "--ranks");
    return;
  }
  const std::vector<double> single = seconds_per_row(record, *one);
  const std::vector<double> several = seconds_per_row(record, planned);
  if (single.empty() || several.empty()) {
    notes[kEfficiency] = "no launch of " + (single.empty() ? one->id : planned.id) + " succeeded";
    return;
  }
  const auto ranks = static_cast<double>(planned.spec.ranks);
  const double value = stats::median_of(single) / stats::median_of(several) / ranks;
  metrics.scaling_efficiency.value = value;
  const auto difference = stats::welch(logs_of(several), logs_of(single));
  if (!difference) {
    notes[std::string(kEfficiency) + ".ci95"] = "needs two launches of each case";
    return;
  }
  const double centre = difference->estimate - std::log(ranks);
  const double reach = difference->half_width(stats::kConfidence);
  metrics.scaling_efficiency.ci95 =
      schema::Interval{std::min(std::exp(centre - reach), value), std::max(std::exp(centre + reach), value)};
}

void set_communication(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good,
                       schema::Metrics& metrics, Notes& notes) {
  std::vector<double> exposed;
  std::vector<double> averaging;
  for (const schema::Launch* launch : good) {
    // The step without averaging has its batch on the device.
    const auto step = launch->input_times ? std::optional(launch->input_times->resident_step_seconds)
                                          : stats::median(launch->samples_seconds);
    if (!launch->communication || !step) continue;
    exposed.push_back(*step - launch->communication->compute_step_seconds);
    averaging.push_back(launch->communication->average_seconds);
  }
  if (!exposed.empty()) {
    const double wait = std::max(0.0, stats::median_of(exposed));
    metrics.communication_exposed_seconds = wait;
    metrics.communication_hidden_seconds = std::max(0.0, stats::median_of(averaging) - wait);
  }
  if (spec.ranks == 1) notes[kEfficiency] = kOneProcess;
  if (!exposed.empty()) return;
  notes[kExposed] = notes[kHidden] = spec.ranks == 1             ? kOneProcess
                                     : !row_of(spec.mode).trains ? "only training averages gradients"
                                                                 : "no launch measured its steps without communication";
}

void set_communication_share(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good,
                             std::optional<double> bus_ceiling, schema::Metrics& metrics, Notes& notes) {
  std::vector<double> rates;
  const auto ranks = static_cast<double>(spec.ranks);
  for (const schema::Launch* launch : good) {
    if (!launch->communication || launch->communication->average_seconds <= 0) continue;
    const double carried = 2 * (ranks - 1) / ranks * static_cast<double>(launch->communication->bytes);
    rates.push_back(carried / launch->communication->average_seconds);
  }
  const std::optional<double> rate = stats::median(rates);
  if (!can_have_bus_ceiling(spec)) {
    notes[kShare] = "only training on several GPUs has such a ceiling";
  } else if (!rate) {
    notes[kShare] = "no launch measured how long averaging takes";
  } else if (!bus_ceiling) {
    notes[kShare] =
        "the rate of all-reduce between " + std::to_string(spec.ranks) + " devices is not known; run with --ceilings";
  } else {
    metrics.communication_ceiling_share = *rate / *bus_ceiling;
  }
}

std::optional<Straggler> straggler_of(const schema::CaseResult& result) {
  std::optional<std::int64_t> rank;
  std::vector<double> excesses;
  for (const schema::Launch* launch : counted_launches(result.launches)) {
    const std::optional<Straggler> one = straggler_of(launch->ranks);
    if (!one || rank.value_or(one->rank) != one->rank) return std::nullopt;
    rank = one->rank;
    excesses.push_back(one->excess);
  }
  if (excesses.size() < kLeastStragglerLaunches) return std::nullopt;
  return Straggler{rank.value(), stats::median_of(excesses)};
}

}  // namespace mpsbench::report
