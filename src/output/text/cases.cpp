#include "output/text/cases.hpp"

#include "base/units.hpp"
#include "output/text/figures.hpp"
#include "output/text/text.hpp"
#include "report/metrics/counted_launches.hpp"
#include "stats/summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace mpsbench::output {

namespace {

using schema::CaseResult;

constexpr std::size_t kAlwaysShown = 3;  // model, mode and the next part (device or batch size)

// Whether NAME is a batch size, which is worth showing even if it is the same in all ids.
bool is_batch(const std::string& name) {
  return name.size() > 1 && name[0] == 'b' && name.find_first_not_of("0123456789", 1) == std::string::npos;
}

// How a part of an id is an option, in the order of the parts, and its default, which needs no option.
struct Part {
  const char* option;  // null: not part of the work
  const char* usual = "";
};
constexpr Part kParts[] = {
    {"-m"}, {"--mode"}, {nullptr}, {"-b"}, {"--precision", "fp32"}, {"--engine", "eager"}, {"--dataset", "synthetic"}};

// Returns "4 of 6 launches, 2 disturbed", or "3 launches, 1 disturbed" if all count. Empty if none was
// disturbed.
std::string disturbed_words(const CaseResult& result) {
  const report::LaunchCounts launches = report::launch_counts(result.launches);
  if (launches.disturbed == 0) return "";
  const std::string counted = launches.counted < launches.good ? fmt::format("{} of ", launches.counted) : "";
  return counted + base::counted(launches.good, "launch", "launches") +
         fmt::format(", {} disturbed", launches.disturbed);
}

std::string accuracies(const schema::Metrics& metrics) {
  std::vector<std::string> texts;
  for (const auto& [name, share] : {std::pair{"train", metrics.training_accuracy},
                                    {"validation", metrics.validation_accuracy},
                                    {"test", metrics.test_accuracy}}) {
    if (share) texts.push_back(fmt::format("{} {:.2f} %", name, 100 * *share));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

// The unit is that of the articles' scripts.
std::string minutes(const std::optional<double>& seconds) {
  if (!seconds) return kNone;
  return fmt::format("{:.2f} min ({})", *seconds / 60,
                     *seconds < 1 ? base::format_duration(*seconds) : fmt::format("{:.1f} s", *seconds));
}

}  // namespace

std::vector<std::string> short_ids(const std::vector<std::string>& ids) {
  std::vector<schema::CaseId> all(ids.begin(), ids.end());
  const auto is_shown = [&](std::size_t at) {
    return at < kAlwaysShown || std::ranges::any_of(
                                    all,
                                    [&](const schema::CaseId& id) {
                                      return at >= id.parts.size() || id.parts[at] != all.front().parts[at] ||
                                             is_batch(id.parts[at]);
                                    });
  };
  std::vector<bool> shown;
  for (std::size_t at = 0; !all.empty() && at < all.front().parts.size(); ++at) shown.push_back(is_shown(at));
  std::vector<std::string> texts;
  for (schema::CaseId& id : all) {
    for (std::size_t at = std::min(id.parts.size(), shown.size()); at-- > 0;) {
      if (!shown[at]) id = id.without_part(at);
    }
    texts.push_back(id.text());
  }
  return texts;
}

std::string run_command(const std::string& id) {
  const schema::CaseId work = schema::CaseId(id).without_own_options();
  std::string command = "mpsbench run";
  for (std::size_t at = 0; at < std::min(work.parts.size(), std::size(kParts)); ++at) {
    const Part& part = kParts[at];
    if (part.option == nullptr || work.parts[at] == part.usual) continue;
    const std::size_t begin = at == schema::CaseId::batch && !work.parts[at].empty() ? 1 : 0;
    command += std::string(" ") + part.option + " " + quoted_for_shell(work.parts[at].substr(begin));
  }
  std::string changes;  // of parameters of the definition
  for (const std::string& text : work.options) {
    const schema::IdOption option(text);
    const auto is_its = [&](const schema::SpecField& field) { return option.name == field.traits.option; };
    if (option.name != "gpus" && std::ranges::none_of(schema::kSpecFields, is_its)) {
      changes += (changes.empty() ? "" : ",") + text;
      continue;
    }
    command += " --" + option.name + (option.value == "true" ? "" : " " + quoted_for_shell(option.value));
  }
  if (!changes.empty()) command += " --set " + quoted_for_shell(changes);
  return command;
}

std::string model_text(const schema::CaseSpec& spec) {
  std::string text = spec.model;
  for (const auto& [name, value] : spec.parameters) text += "+" + name + "=" + base::number_text(value);
  return text;
}

bool has_flag(const CaseResult& result, std::string_view flag) {
  return std::ranges::find(result.flags, flag) != result.flags.end();
}

std::vector<const schema::Launch*> timed_launches(const CaseResult& result) {
  std::vector<const schema::Launch*> timed = report::counted_launches(result.launches);
  std::erase_if(timed, [](const schema::Launch* launch) { return launch->samples_seconds.empty(); });
  return timed;
}

std::vector<double> median_steps(const std::vector<const schema::Launch*>& launches) {
  std::vector<double> seconds;
  for (const schema::Launch* launch : launches) seconds.push_back(stats::median_of(launch->samples_seconds));
  return seconds;
}

bool has_figures(const CaseResult& result) {
  return result.metrics.step_seconds.median && !timed_launches(result).empty();
}

std::optional<double> middle_of(const CaseResult& result, const schema::TimeMetrics& time) {
  return result.published ? time.mean : time.median;
}

std::string step_text(const CaseResult& result) {
  const schema::TimeMetrics& step = result.metrics.step_seconds;
  const auto middle = middle_of(result, step);
  return middle ? with_interval(*middle, step.ci95) + (result.published ? kMeanMark : "") : kNone;
}

std::string failure_words(schema::Status status, const std::optional<schema::Failure>& failure) {
  std::string words(row_of(status).help);
  const std::string message = failure ? failure->message : "";
  if (words.empty() || message.empty()) return words;
  return message.starts_with(words) ? message : words + " (" + message + ")";
}

std::string remarks(const CaseResult& result) {
  std::vector<std::string> parts{failure_words(result.status, result.failure),
                                 fmt::format("{}", fmt::join(result.flags, " ")), disturbed_words(result)};
  std::erase(parts, "");
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<std::string> training_lines(const schema::Report& report) {
  const std::vector<std::string> names = short_names(report.cases);
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < names.size(); ++at) {
    const schema::Metrics& metrics = report.cases[at].metrics;
    if (!metrics.training_seconds) continue;
    lines.push_back(fmt::format(
        "{}: accuracy after {}: {}. Times: epoch without evaluation {}, total training {}, total {}.", names[at],
        base::counted(report.cases[at].spec.epochs.value_or(0), "epoch", "epochs"), accuracies(metrics),
        minutes(metrics.epoch_seconds.value), minutes(metrics.training_seconds), minutes(metrics.total_seconds)));
  }
  return lines;
}

}  // namespace mpsbench::output
