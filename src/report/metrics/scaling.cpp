#include "report/metrics/scaling.hpp"

#include "report/metrics/ceilings.hpp"
#include "report/metrics/counted_launches.hpp"
#include "report/metrics/flags.hpp"
#include "report/metrics/metric_parts.hpp"
#include "stats/significance.hpp"

#include <algorithm>
#include <cmath>

namespace mpsbench::report {
namespace {

using schema::Metrics;

constexpr auto kEfficiency = &Metrics::scaling_efficiency;

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

bool is_work_in_one_process(const schema::CaseSpec& one, const schema::CaseSpec& many) {
  return one.ranks == 1 && many.ranks > 1 && one.model == many.model && one.batch_size == batch_in_one_process(many) &&
         work_in_one_process(one) == work_in_one_process(many);
}

void set_efficiency(const schema::RunRecord& record, const schema::PlannedCase& planned, MetricsAndNotes& figures) {
  const schema::PlannedCase* one = one_process_case(planned, record.run.planned);
  if (one == nullptr)
    return figures.note(kEfficiency, std::string("the run has no such case with one process: add 1 to ") +
                                         (planned.spec.device.row().one_a_rank ? "--gpus" : "--ranks"));
  const std::vector<double> single = seconds_per_row(record, *one);
  const std::vector<double> several = seconds_per_row(record, planned);
  if (single.empty() || several.empty())
    return figures.note(kEfficiency, "no launch of " + (single.empty() ? one->id : planned.id) + " succeeded");
  const auto ranks = static_cast<double>(planned.spec.ranks);
  const double value = stats::median_of(single) / stats::median_of(several) / ranks;
  figures.metrics.scaling_efficiency.value = value;
  const auto difference = stats::welch(logs_of(several), logs_of(single));
  if (!difference) return figures.note(kEfficiency, "needs two launches of each case", "ci95");
  const double centre = difference->estimate - std::log(ranks);
  const double reach = difference->half_width(stats::kConfidence);
  figures.metrics.scaling_efficiency.ci95 = containing(value, std::exp(centre - reach), std::exp(centre + reach));
}

void set_communication(CaseFigures& figures) {
  constexpr const char* kOneProcess = "the launches run in one process";
  if (figures.spec.ranks == 1) figures.note(kEfficiency, kOneProcess);
  const auto exposed_of = [](const schema::Launch& launch) -> std::optional<double> {
    // The step without averaging has its batch on the device.
    const auto step = launch.input_times ? std::optional(launch.input_times->resident_step_seconds)
                                         : stats::median(launch.samples_seconds);
    if (!launch.communication || !step) return std::nullopt;
    return *step - launch.communication->compute_step_seconds;
  };
  const auto averaging = median_over(figures.good, [&](const schema::Launch& launch) {
    return exposed_of(launch) ? std::optional(launch.communication->average_seconds) : std::nullopt;
  });
  std::optional<double> exposed = median_over(figures.good, exposed_of);
  std::optional<double> hidden;
  if (exposed && averaging) {
    exposed = std::max(0.0, *exposed);
    hidden = std::max(0.0, *averaging - *exposed);
  }
  const char* why_none = figures.spec.ranks == 1             ? kOneProcess
                         : !row_of(figures.spec.mode).trains ? "only training averages gradients"
                                                             : "no launch measured its steps without communication";
  figures.set(&Metrics::communication_exposed_seconds, exposed, why_none);
  figures.set(&Metrics::communication_hidden_seconds, hidden, why_none);
}

void set_communication_share(CaseFigures& figures, std::optional<double> bus_ceiling) {
  constexpr auto kMetric = &Metrics::communication_ceiling_share;
  if (!can_have_bus_ceiling(figures.spec))
    return figures.note(kMetric, "only training on several GPUs has such a ceiling");
  const auto ranks = static_cast<double>(figures.spec.ranks);
  const auto rate = median_over(figures.good, [ranks](const schema::Launch& launch) -> std::optional<double> {
    const auto& communication = launch.communication;
    if (!communication || communication->average_seconds <= 0) return std::nullopt;
    return 2 * (ranks - 1) / ranks * static_cast<double>(communication->bytes) / communication->average_seconds;
  });
  if (!rate) return figures.note(kMetric, "no launch measured how long averaging takes");
  if (!bus_ceiling)
    return figures.note(kMetric, "the rate of all-reduce between " + std::to_string(figures.spec.ranks) +
                                     " devices is not known; run with --ceilings");
  figures.metrics.*kMetric = *rate / *bus_ceiling;
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
