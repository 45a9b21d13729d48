#include "output/text/learned.hpp"

#include "base/units.hpp"
#include "output/text/text.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace mpsbench::output {
namespace {

std::string accuracies(const schema::Metrics& metrics) {
  std::string text;
  for (const auto& [name, share] : {std::pair{"train", metrics.training_accuracy},
                                    {"validation", metrics.validation_accuracy},
                                    {"test", metrics.test_accuracy}}) {
    if (share) text += fmt::format("{}{} {:.2f} %", text.empty() ? "" : ", ", name, 100 * *share);
  }
  return text;
}

// The unit is that of the articles' scripts.
std::string clock(const std::optional<double>& seconds) {
  if (!seconds) return kNone;
  return fmt::format("{:.2f} min ({})", *seconds / 60,
                     *seconds < 1 ? base::format_duration(*seconds) : fmt::format("{:.1f} s", *seconds));
}

std::string line_of(const std::string& name, const schema::CaseResult& result) {
  const std::int64_t epochs = result.spec.epochs.value_or(0);
  const schema::Metrics& metrics = result.metrics;
  return fmt::format(
      "{}: accuracy after {} epoch{}: {}. Times: epoch without evaluation {}, total training {}, total {}.", name,
      epochs, epochs == 1 ? "" : "s", accuracies(metrics), clock(metrics.epoch_seconds.value),
      clock(metrics.training_seconds), clock(metrics.total_seconds));
}

}  // namespace

std::vector<std::string> learned(const schema::Report& report) {
  std::vector<std::string> ids;
  for (const schema::CaseResult& result : report.cases) ids.push_back(result.id);
  const std::vector<std::string> names = short_ids(ids);
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < names.size(); ++at) {
    const schema::CaseResult& result = report.cases[at];
    if (result.metrics.training_seconds) lines.push_back(line_of(names[at], result));
  }
  return lines;
}

}  // namespace mpsbench::output
