#include "output/console/case_words.hpp"

#include "base/cpu_list.hpp"
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
#include <vector>

namespace mpsbench::output {

namespace {

using schema::CaseResult;

constexpr std::size_t kMostSentences = 4;  // the table has the rest
constexpr double kLeastTold = 1e-6;        // seconds that are worth a sentence

// Rounded as in the table.
std::string percent_text(double share) {
  return share < 1 ? base::format_significant(share * 100, 3) : fmt::format("{:.0f}", share * 100);
}

// Returns how many cores of all machines the processes share, if they are more than these.
std::optional<std::int64_t> cores_shared(const schema::CaseSpec& spec, const schema::Report& report) {
  const std::int64_t hosts = report.run.launcher ? report.run.launcher->hosts : 1;
  const std::optional<std::vector<int>> chosen = spec.affinity ? base::parse_cpu_list(*spec.affinity) : std::nullopt;
  const std::int64_t cores = (chosen ? std::ssize(*chosen) : report.host.cpu.logical_cores) * hosts;
  if (!spec.device.row().ranks_share || cores <= 0 || spec.ranks <= cores) return std::nullopt;
  return cores;
}

// "; the 8 processes share 2 cores", or nothing.
std::string sharing_words(const schema::CaseSpec& spec, const schema::Report& report) {
  const std::optional<std::int64_t> cores = cores_shared(spec, report);
  if (!cores) return "";
  return fmt::format("; the {} processes share {}", spec.ranks, base::counted(*cores, "core", "cores"));
}

// The cases that scale the same work, of which the one in the most processes is told.
struct Family {
  const CaseResult* most = nullptr;
  schema::CaseSpec one{};  // the same work in one process
};

// Returns the families of all cases that have an efficiency.
std::vector<Family> families_of(const std::vector<CaseResult>& cases) {
  std::vector<Family> families;
  for (const CaseResult& result : cases) {
    if (result.spec.ranks == 1 || !result.metrics.scaling_efficiency.value) continue;
    const CaseResult* one = report::one_process_case(result, cases);
    Family family{&result, one != nullptr ? one->spec : report::work_in_one_process(result.spec)};
    const auto same = std::ranges::find_if(families, [&](const Family& other) {
      return other.one == family.one && other.most->spec.scaling == result.spec.scaling &&
             other.most->spec.bucket_bytes == result.spec.bucket_bytes;
    });
    if (same == families.end()) {
      families.push_back(std::move(family));
    } else if (result.spec.ranks > same->most->spec.ranks) {
      same->most = &result;
    }
  }
  return families;
}

// Returns what tells FAMILY from the others of its network and mode.
std::string which_words(const Family& family, const std::vector<Family>& families) {
  std::vector<schema::CaseSpec> others;
  for (const Family& other : families) {
    if (other.one.model == family.one.model && other.one.mode == family.one.mode) others.push_back(other.one);
  }
  return distinguishing_words(family.one, others);
}

struct ToldFamily {
  const CaseResult* most = nullptr;
  std::string which;
};

// Returns the families that get a sentence: first one of each network and mode. Of those that differ in
// something else than the words tell, only the first is told.
std::vector<ToldFamily> told_families(const std::vector<Family>& families) {
  std::vector<ToldFamily> told;
  std::vector<ToldFamily> others;
  for (const Family& family : families) {
    const ToldFamily one{family.most, which_words(family, families)};
    const auto is_same_work = [&](const ToldFamily& other) {
      return other.most->spec.model == one.most->spec.model && other.most->spec.mode == one.most->spec.mode;
    };
    const auto is_same = [&](const ToldFamily& other) {
      return is_same_work(other) && other.which == one.which && other.most->spec.scaling == one.most->spec.scaling &&
             other.most->spec.bucket_bytes == one.most->spec.bucket_bytes;
    };
    if (std::ranges::any_of(told, is_same) || std::ranges::any_of(others, is_same)) continue;
    (std::ranges::any_of(told, is_same_work) ? others : told).push_back(one);
  }
  told.insert(told.end(), others.begin(), others.end());
  if (told.size() > kMostSentences) told.resize(kMostSentences);
  return told;
}

std::string sentence_for(const CaseResult& result, const std::string& which, const schema::Report& report) {
  const schema::ValueMetric& efficiency = result.metrics.scaling_efficiency;
  const double share = efficiency.value.value();
  std::string text = fmt::format("{}, {}{} {} {} times as many rows a second as {} 1: efficiency {} %",
                                 processes_text(result.spec), result.spec.model, which, row_of(result.spec.mode).verb,
                                 base::format_significant(share * static_cast<double>(result.spec.ranks), 3),
                                 result.spec.device.row().one_a_rank ? "on" : "in", percent_text(share));
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

using schema::CaseSpec;

std::string processes_text(const CaseSpec& spec) {
  const auto count = static_cast<std::size_t>(spec.ranks);
  return spec.device.row().one_a_rank ? "on " + base::counted(count, "GPU", "GPUs")
                                      : "in " + base::counted(count, "process", "processes");
}

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
  for (const ToldFamily& family : told_families(families_of(report.cases)))
    sentences.push_back(sentence_for(*family.most, family.which, report));
  if (!sentences.empty()) return sentences;
  const auto lonely = std::ranges::find_if(report.cases, [&](const CaseResult& result) {
    return result.spec.ranks > 1 && result.metrics.rows_per_second.value &&
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
