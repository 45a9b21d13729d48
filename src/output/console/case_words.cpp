#include "output/console/case_words.hpp"

#include "base/system_files.hpp"
#include "base/units.hpp"
#include "output/text/text.hpp"
#include "report/metrics/flags.hpp"
#include "report/metrics/scaling.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace mpsbench::output {

namespace {

using schema::CaseResult;
using schema::CaseSpec;

constexpr std::size_t kMostSentences = 4;  // the table has the rest
constexpr double kLeastTold = 1e-6;        // seconds that are worth a sentence

// Rounded as in the table.
std::string percent_text(double share) {
  return share < 1 ? base::format_significant(share * 100, 3) : fmt::format("{:.0f}", share * 100);
}

// Returns "; the 8 processes share 2 cores" of all machines, or nothing if there are as many cores.
std::string sharing_words(const CaseSpec& spec, const schema::Report& report) {
  const std::int64_t hosts = report.run.launcher ? report.run.launcher->hosts : 1;
  const std::optional<std::vector<int>> chosen = spec.affinity ? base::parse_cpu_list(*spec.affinity) : std::nullopt;
  const std::int64_t cores = (chosen ? std::ssize(*chosen) : report.host.cpu.logical_cores) * hosts;
  if (!spec.device.row().ranks_share || cores <= 0 || spec.ranks <= cores) return "";
  return fmt::format("; the {} processes share {}", spec.ranks, base::counted(cores, "core", "cores"));
}

// Returns "on 2 GPUs", "in 4 processes" or "in 1 process".
std::string processes_text(const CaseSpec& spec) {
  return spec.device.row().one_a_rank ? "on " + base::counted(spec.ranks, "GPU", "GPUs")
                                      : "in " + base::counted(spec.ranks, "process", "processes");
}

// The cases that scale the same work, of which the one in the most processes is told.
struct Family {
  const CaseResult* most = nullptr;
  CaseSpec one{};          // the same work in one process
  std::string which = "";  // tells it from the others of its network and mode
  bool is_first = false;   // of these
};

bool scales_alike(const CaseResult& a, const CaseResult& b) {
  return a.spec.scaling == b.spec.scaling && a.spec.bucket_bytes == b.spec.bucket_bytes;
}

// Returns the families of all cases that have an efficiency.
std::vector<Family> families_of(const std::vector<CaseResult>& cases) {
  std::vector<Family> families;
  for (const CaseResult& result : cases) {
    if (result.spec.ranks == 1 || !result.metrics.scaling_efficiency.value) continue;
    const CaseResult* one = report::one_process_case(result, cases);
    Family family{&result, one != nullptr ? one->spec : report::work_in_one_process(result.spec)};
    const auto same = std::ranges::find_if(
        families, [&](const Family& other) { return other.one == family.one && scales_alike(*other.most, result); });
    if (same == families.end()) {
      families.push_back(std::move(family));
    } else if (result.spec.ranks > same->most->spec.ranks) {
      same->most = &result;
    }
  }
  return families;
}

bool is_same_work(const Family& a, const Family& b) {
  return a.one.model == b.one.model && a.one.mode == b.one.mode;
}

// Returns the families that get a sentence: first one of each network and mode. Of those that differ in something else
// than the words tell, only the first is told.
std::vector<Family> told_families(const std::vector<Family>& families) {
  std::vector<Family> told;
  for (Family family : families) {
    std::vector<CaseSpec> alike;
    for (const Family& other : families) {
      if (is_same_work(other, family)) alike.push_back(other.one);
    }
    family.which = distinguishing_words(family.one, alike);
    const auto is_work = [&](const Family& other) { return is_same_work(other, family); };
    const auto is_same = [&](const Family& other) {
      return is_work(other) && other.which == family.which && scales_alike(*other.most, *family.most);
    };
    if (std::ranges::any_of(told, is_same)) continue;
    family.is_first = std::ranges::none_of(told, is_work);
    told.push_back(std::move(family));
  }
  std::ranges::stable_partition(told, &Family::is_first);
  if (told.size() > kMostSentences) told.resize(kMostSentences);
  return told;
}

std::string sentence_for(const CaseResult& result, const std::string& which, const schema::Report& report) {
  const schema::ValueMetric& efficiency = result.metrics.scaling_efficiency;
  const double share = efficiency.value.value();
  std::string text = fmt::format("{}, {}{} {} {} times as many {} a second as {} 1: efficiency {} %",
                                 processes_text(result.spec), result.spec.model, which, row_of(result.spec.mode).verb,
                                 base::format_significant(share * static_cast<double>(result.spec.ranks), 3),
                                 row_of(result.spec.mode).unit, result.spec.device.row().one_a_rank ? "on" : "in",
                                 percent_text(share));
  if (efficiency.ci95)
    text += fmt::format(" ({}–{} %)", percent_text(efficiency.ci95->low), percent_text(efficiency.ci95->high));
  if (result.spec.scaling == schema::Scaling::strong) text += ", strong scaling";
  if (result.spec.bucket_bytes)
    text += ", buckets of " + base::format_bytes(static_cast<double>(*result.spec.bucket_bytes));
  if (share > report::kPlausibleEfficiency)
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

std::string distinguishing_words(const CaseSpec& spec, const std::vector<CaseSpec>& others) {
  const auto differs = [&](auto member) {
    return std::ranges::any_of(others, [&](const CaseSpec& other) { return other.*member != spec.*member; });
  };
  std::string text;
  if (differs(&CaseSpec::ranks)) text += " " + processes_text(spec);
  if (differs(&CaseSpec::batch_size)) text += fmt::format(" at batch {}", spec.batch_size);
  if (differs(&CaseSpec::threads) && !differs(&CaseSpec::ranks))
    text += " with " + base::counted(spec.threads, "thread", "threads");
  if (differs(&CaseSpec::precision)) text += " in " + to_string(spec.precision);
  if (differs(&CaseSpec::engine)) text += " with the engine " + to_string(spec.engine);
  if (differs(&CaseSpec::device)) text += " on " + to_string(spec.device);
  return text;
}

std::vector<std::string> scaling_sentences(const schema::Report& report) {
  std::vector<std::string> sentences;
  for (const Family& family : told_families(families_of(report.cases)))
    sentences.push_back(sentence_for(*family.most, family.which, report));
  if (!sentences.empty()) return sentences;
  const auto lonely = std::ranges::find_if(report.cases, [&](const CaseResult& result) {
    return result.spec.ranks > 1 && report::speed_of(result.spec, result.metrics).value &&
           report::one_process_case(result, report.cases) == nullptr;
  });
  if (lonely != report.cases.end())
    sentences.push_back(
        fmt::format("How well {} scales is not known without a case {}: add 1 to {}{}.", lonely->spec.model,
                    lonely->spec.device.row().one_a_rank ? "on 1 GPU" : "in 1 process",
                    lonely->spec.device.row().one_a_rank ? "--gpus" : "--ranks", sharing_words(lonely->spec, report)));
  return sentences;
}

}  // namespace mpsbench::output
