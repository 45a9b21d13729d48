#include "report/metrics/training_times.hpp"

#include "stats/summary.hpp"

namespace mpsbench::report {

void set_training_times(const std::vector<const schema::Launch*>& good, schema::Metrics& metrics,
                        Notes& notes) {
  std::vector<double> training;
  std::vector<double> test;
  std::vector<double> total;
  for (const schema::Launch* launch : good) {
    if (launch->epochs.empty() || launch->evaluations.empty()) continue;
    double training_seconds = 0;
    double test_seconds = 0;
    for (const schema::EpochRecord& epoch : launch->epochs) training_seconds += epoch.seconds;
    for (const schema::Evaluation& one : launch->evaluations)
      (one.part == schema::DataPart::test ? test_seconds : training_seconds) += one.seconds;
    training.push_back(training_seconds);
    test.push_back(test_seconds);
    total.push_back(training_seconds + test_seconds);
  }
  metrics.training_seconds = stats::median(training);
  metrics.test_seconds = stats::median(test);
  metrics.total_seconds = stats::median(total);
  if (metrics.training_seconds) return;
  for (const char* path : {"metrics.training_seconds", "metrics.test_seconds", "metrics.total_seconds"})
    notes[path] = good.empty()
                      ? "no launch succeeded"
                      : "only training on a data set with --epochs and without --max-batches evaluates "
                        "what it taught";
}

}  // namespace mpsbench::report
