#include "report/metrics/part_metrics.hpp"

#include "stats/summary.hpp"

#include <tuple>
#include <vector>

namespace mpsbench::report {
namespace {

// Returns why the parts of the steps are not known, or nullptr if the launches may know them.
const char* why_none(const schema::CaseSpec& spec) {
  if (spec.mode != schema::Mode::train) return "only training has a backward pass and an update";
  if (row_of(spec.engine).captured) return "a step that is replayed as a whole cannot be divided";
  if (schema::as_published(spec.loop)) return "--as-published times only the loop";
  if (spec.pad == schema::Pad::longest)
    return "batches have different lengths (--pad longest), but the batch on the device has only one";
  return nullptr;
}

}  // namespace

void set_parts(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good,
               schema::Metrics& metrics, Notes& notes) {
  const char* reason = why_none(spec);
  for (const auto& [path, metric, part] :
       {std::tuple{"metrics.forward_seconds", &schema::Metrics::forward_seconds,
                   &schema::StepParts::forward_seconds},
        {"metrics.backward_seconds", &schema::Metrics::backward_seconds,
         &schema::StepParts::backward_seconds},
        {"metrics.update_seconds", &schema::Metrics::update_seconds, &schema::StepParts::update_seconds}}) {
    std::vector<double> seconds;
    for (const schema::Launch* launch : good) {
      if (reason == nullptr && launch->step_parts) seconds.push_back((*launch->step_parts).*part);
    }
    metrics.*metric = stats::median(seconds);
    if (!(metrics.*metric))
      notes[path] = reason != nullptr ? reason
                    : good.empty() ? "no launch succeeded"
                                   : "no launch kept them: steps are too few or too long, the device has no "
                                     "events, their times disagree, or an older version measured";
  }
}

}  // namespace mpsbench::report
