#include "report/metrics/accuracy.hpp"

#include "stats/summary.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

namespace mpsbench::report {
namespace {

// Returns the median over the GOOD launches of the share of PART's rows that was right after the last epoch.
std::optional<double> accuracy(const std::vector<const schema::Launch*>& good, schema::DataPart part) {
  std::vector<double> shares;
  for (const schema::Launch* launch : good) {
    const auto last =
        std::find_if(launch->evaluations.rbegin(), launch->evaluations.rend(),
                     [part](const schema::Evaluation& one) { return one.part == part && one.rows > 0; });
    if (last == launch->evaluations.rend()) continue;
    shares.push_back(static_cast<double>(last->correct) / static_cast<double>(last->rows));
  }
  return stats::median(shares);
}

}  // namespace

void set_accuracy(const std::vector<const schema::Launch*>& good, schema::Metrics& metrics, Notes& notes) {
  for (const auto& [path, metric, part] :
       {std::tuple{"metrics.training_accuracy", &schema::Metrics::training_accuracy, schema::DataPart::train},
        {"metrics.validation_accuracy", &schema::Metrics::validation_accuracy, schema::DataPart::validation},
        {"metrics.test_accuracy", &schema::Metrics::test_accuracy, schema::DataPart::test}}) {
    metrics.*metric = accuracy(good, part);
    if (!(metrics.*metric)) notes[path] = "only training on a data set with --epochs measures accuracy";
  }
}

}  // namespace mpsbench::report
