#include "output/console/scaling_words.hpp"

#include "base/counted.hpp"
#include "base/cpu_list.hpp"
#include "base/units.hpp"
#include "output/text/text.hpp"
#include "report/metrics/scaling.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace mpsbench::output {
namespace {

using schema::CaseResult;

constexpr std::size_t kMostSentences = 4;  // the table has the rest
constexpr double kLeastTold = 1e-6;        // seconds that are worth a sentence
constexpr double kPlausibleEfficiency = 1.1;
constexpr double kTellingShare = 0.5;  // of the efficiency: an interval that reaches further tells nothing

bool is_on_gpus(const schema::CaseSpec& spec) {
  return spec.device.kind == schema::DeviceKind::cuda;
}

bool scales_alike(const CaseResult& a, const CaseResult& b) {
  return a.spec.model == b.spec.model && a.spec.mode == b.spec.mode &&
         a.spec.device.kind == b.spec.device.kind;
}

std::string percent_text(double share) {
  return base::format_significant(share * 100, 3);
}

// Returns how many cores of all machines the processes share, if they are more than these.
std::optional<std::int64_t> cores_shared(const schema::CaseSpec& spec, const schema::Report& report) {
  const std::int64_t hosts = report.run.launcher ? report.run.launcher->hosts : 1;
  const std::optional<std::vector<int>> chosen =
      spec.affinity ? base::parse_cpu_list(*spec.affinity) : std::nullopt;
  const std::int64_t cores = (chosen ? std::ssize(*chosen) : report.host.cpu.logical_cores) * hosts;
  if (is_on_gpus(spec) || cores <= 0 || spec.ranks <= cores) return std::nullopt;
  return cores;
}

// "; the 8 processes share 2 cores", or nothing.
std::string sharing_words(const schema::CaseSpec& spec, const schema::Report& report) {
  const std::optional<std::int64_t> cores = cores_shared(spec, report);
  if (!cores) return "";
  return fmt::format("; the {} processes share {}", spec.ranks, base::counted(*cores, "core", "cores"));
}

std::string interval_words(const schema::Interval& interval, double value) {
  if (interval.low < value * (1 - kTellingShare) || interval.high > value * (1 + kTellingShare))
    return " (uncertain by more than half of it)";
  return fmt::format(" ({}–{} %)", percent_text(interval.low), percent_text(interval.high));
}

std::string sentence_for(const CaseResult& result, const schema::Report& report) {
  const schema::ValueMetric& efficiency = result.metrics.scaling_efficiency;
  const double share = efficiency.value.value();
  std::string text = fmt::format("{}, {} {} {} times as many rows a second as {} 1: efficiency {} %",
                                 processes_text(result.spec), result.spec.model,
                                 result.spec.mode == schema::Mode::train ? "trains" : "processes",
                                 base::format_significant(share * static_cast<double>(result.spec.ranks), 3),
                                 is_on_gpus(result.spec) ? "on" : "in", percent_text(share));
  if (efficiency.ci95) text += interval_words(*efficiency.ci95, share);
  if (result.spec.scaling == schema::Scaling::strong) text += ", strong scaling";
  if (share > kPlausibleEfficiency)
    text += "; more than 100 % means that the single process was slowed down or had other threads";
  text += sharing_words(result.spec, report);
  if (const double wait = result.metrics.communication_exposed_seconds.value_or(0); wait >= kLeastTold)
    text += fmt::format("; {} of each step wait for gradients", base::format_duration(wait));
  if (const auto straggler = report::straggler_of(result))
    text += fmt::format("; rank {} is the slowest (it computes {} % longer than the others)", straggler->rank,
                        percent_text(straggler->excess));
  return sentence(text);
}

}  // namespace

std::string processes_text(const schema::CaseSpec& spec) {
  const auto count = static_cast<std::size_t>(spec.ranks);
  return is_on_gpus(spec) ? "on " + base::counted(count, "GPU", "GPUs")
                          : "in " + base::counted(count, "process", "processes");
}

std::vector<std::string> scaling_sentences(const schema::Report& report) {
  std::vector<const CaseResult*> told;
  const CaseResult* lonely = nullptr;  // several processes, but no efficiency
  for (const CaseResult& result : report.cases) {
    if (result.spec.ranks == 1 || !result.metrics.rows_per_second.value) continue;
    if (!result.metrics.scaling_efficiency.value) {
      if (report::one_process_case(result, report.cases) == nullptr) lonely = &result;
      continue;
    }
    const auto same =
        std::ranges::find_if(told, [&](const CaseResult* other) { return scales_alike(*other, result); });
    if (same == told.end()) {
      told.push_back(&result);
    } else if (result.spec.ranks > (*same)->spec.ranks) {
      *same = &result;
    }
  }
  if (told.size() > kMostSentences) told.resize(kMostSentences);
  std::vector<std::string> sentences;
  for (const CaseResult* result : told) sentences.push_back(sentence_for(*result, report));
  if (told.empty() && lonely != nullptr)
    sentences.push_back(
        fmt::format("How well {} scales is not known without a case {}: add 1 to {}{}.", lonely->spec.model,
                    is_on_gpus(lonely->spec) ? "on 1 GPU" : "in 1 process",
                    is_on_gpus(lonely->spec) ? "--gpus" : "--ranks", sharing_words(lonely->spec, report)));
  return sentences;
}

}  // namespace mpsbench::output
