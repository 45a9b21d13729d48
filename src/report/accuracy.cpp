#include "report/accuracy.hpp"

#include "stats/summary.hpp"

namespace mpsbench::report {
namespace {

std::optional<double> accuracy(const std::vector<const schema::Launch*>& good, const char* part) {
  std::vector<double> shares;
  for (const schema::Launch* launch : good) {
    for (const schema::Evaluation& one : launch->evaluations) {
      if (one.part == part && one.rows > 0)
        shares.push_back(static_cast<double>(one.correct) / static_cast<double>(one.rows));
    }
  }
  return stats::median(shares);
}

}  // namespace

void set_accuracy(const std::vector<const schema::Launch*>& good, schema::Metrics& metrics, Notes& notes) {
  metrics.validation_accuracy = accuracy(good, "validation");
  metrics.test_accuracy = accuracy(good, "test");
  const char* reason = "only training on a data set with --epochs tells";
  if (!metrics.validation_accuracy) notes["metrics.validation_accuracy"] = reason;
  if (!metrics.test_accuracy) notes["metrics.test_accuracy"] = reason;
}

}  // namespace mpsbench::report
