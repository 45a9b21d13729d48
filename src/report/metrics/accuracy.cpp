#include "report/metrics/accuracy.hpp"

#include "stats/summary.hpp"

#include <algorithm>

namespace mpsbench::report {

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

void set_accuracy(const std::vector<const schema::Launch*>& good, schema::Metrics& metrics, Notes& notes) {
  metrics.validation_accuracy = accuracy(good, schema::DataPart::validation);
  metrics.test_accuracy = accuracy(good, schema::DataPart::test);
  const char* reason = "only training on a data set with --epochs measures accuracy";
  if (!metrics.validation_accuracy) notes["metrics.validation_accuracy"] = reason;
  if (!metrics.test_accuracy) notes["metrics.test_accuracy"] = reason;
}

}  // namespace mpsbench::report
