// Reports for the tests of pages.
#pragma once

#include "support/exported.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace mpsbench::tests {

// Sets the rate to that of the median step.
inline void set_rate(schema::CaseResult& result) {
  const schema::TimeMetrics& step = result.metrics.step_seconds;
  const auto rows = static_cast<double>(schema::rows_per_step(result.spec));
  result.metrics.rows_per_second.value = rows / step.median.value();
  result.metrics.rows_per_second.ci95 = schema::Interval{rows / step.ci95->high, rows / step.ci95->low};
}

// Returns a case of the network "mlp". The steps of its LAUNCHES take SECONDS.
inline schema::CaseResult timed_case(std::int64_t batch_size, double seconds, std::size_t launches = 5) {
  schema::CaseResult result = measured_case();
  result.id = "mlp/train/cpu/b" + std::to_string(batch_size) + "/fp32/eager/synthetic";
  result.spec = sample_spec("mlp", schema::Mode::train, batch_size);
  result.launches.clear();
  for (std::size_t index = 0; index < launches; ++index) {
    const double own = seconds * (1 + 1e-4 * static_cast<double>(index));
    result.launches.push_back(good_launch(steady_samples(own, 21), static_cast<std::int64_t>(index)));
  }
  result.metrics.step_seconds.median = seconds;
  result.metrics.step_seconds.ci95 = schema::Interval{seconds * 0.99, seconds * 1.01};
  set_rate(result);
  return result;
}

// The same, but it generates with the network "gpt2".
inline schema::CaseResult generating_case(std::int64_t batch_size, double seconds) {
  schema::CaseResult result = timed_case(batch_size, seconds);
  result.id = "gpt2/generate/cpu/b" + std::to_string(batch_size) + "/fp32/eager/synthetic";
  result.spec.model = "gpt2";
  result.spec.mode = schema::Mode::generate;
  result.metrics.tokens_per_second = {result.metrics.rows_per_second.value, result.metrics.rows_per_second.ci95};
  result.metrics.rows_per_second = {};
  return result;
}

inline schema::Report paged_report(std::vector<schema::CaseResult> cases, const std::string& run_id = "one") {
  const schema::RunRecord record = sample_run({}, 2);
  schema::Report report{record.tool, record.run, record.host, std::move(cases)};
  report.run.id = run_id;
  report.run.status = schema::RunStatus::complete;
  for (schema::CaseResult& result : report.cases) result.definition_sha256 = report.run.definitions.begin()->first;
  return report;
}

// A report of another machine, whose host and CPU are called NAME.
inline schema::Report machine(const std::string& name, std::vector<schema::CaseResult> cases) {
  schema::Report report = paged_report(std::move(cases), name);
  report.host.name = report.host.cpu.model = name;
  return report;
}

inline std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

}  // namespace mpsbench::tests
