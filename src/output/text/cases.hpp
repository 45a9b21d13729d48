// What tables, sentences and exports say of a case: its name, its launches, and why it has no figures. Texts
// may contain any characters of a report: see printable().
#pragma once

#include "schema/report.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpsbench::output {

// Returns IDS ("mlp/train/cpu/b64/fp32/eager/synthetic+seed=1") without the precision, engine and data set if
// all ids have the same one: "mlp/train/cpu/b64+seed=1".
[[nodiscard]] std::vector<std::string> short_ids(const std::vector<std::string>& ids);
// The same of the ids of CASES, which are results, comparisons or rows.
template <typename Case>
[[nodiscard]] std::vector<std::string> short_names(const std::vector<Case>& cases, std::string Case::* id = &Case::id) {
  std::vector<std::string> ids;
  for (const Case& one : cases) ids.push_back(one.*id);
  return short_ids(ids);
}

// Returns the command that measures the work of the case ID on any machine: "mpsbench run -m mlp --mode train
// -b 64 --epochs 1". Leaves out the device and what is a machine's own business, such as threads.
[[nodiscard]] std::string run_command(const std::string& id);

// Returns the model's name with what --set changed: "gpt2+layers=2".
[[nodiscard]] std::string model_text(const schema::CaseSpec& spec);

[[nodiscard]] bool has_flag(const schema::CaseResult& result, std::string_view flag);

// Returns the launches that count and have step times.
[[nodiscard]] std::vector<const schema::Launch*> timed_launches(const schema::CaseResult& result);
// Returns the median step of each of LAUNCHES, in seconds.
[[nodiscard]] std::vector<double> median_steps(const std::vector<const schema::Launch*>& launches);
// Returns false for a case that was not measured.
[[nodiscard]] bool has_figures(const schema::CaseResult& result);

// Returns the middle of TIME, which is a metric of RESULT: the median or, for a published case, which may
// have nothing else, the mean.
[[nodiscard]] std::optional<double> middle_of(const schema::CaseResult& result, const schema::TimeMetrics& time);
// Returns the case's time per step with its interval, or "–" if there is none.
[[nodiscard]] std::string step_text(const schema::CaseResult& result);

// Returns one line that says why a case has no figures or only some: "out of memory (needs 14.2 GiB, 9.8
// free)". Returns an empty text if the case is ok.
[[nodiscard]] std::string failure_words(schema::Status status, const std::optional<schema::Failure>& failure);
// Returns why a case failed, its flags, and how many launches were disturbed.
[[nodiscard]] std::string remarks(const schema::CaseResult& result);

// Returns a line for each case that evaluated what its epochs had taught, with the times that the articles'
// scripts print: "mlp-mnist/train/cpu/b64: accuracy after 2 epochs: train 99.00 %, ...". The figures are
// medians over launches.
[[nodiscard]] std::vector<std::string> training_lines(const schema::Report& report);

}  // namespace mpsbench::output
