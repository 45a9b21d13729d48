// Makes reports as compare reads them.
#pragma once

#include "report/compare/compared_report.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mpsbench::tests {

// Returns a case with the id "model/mode/device/bN/..." and the medians of its launches.
inline report::ComparedCase compared_case(const std::string& id, const std::vector<double>& step_seconds) {
  report::ComparedCase result;
  result.id = id;
  const std::size_t device = id.find('/', id.find('/') + 1) + 1;
  const std::size_t batch = id.find('/', device) + 2;
  if (id.find("/infer/") != std::string::npos) result.spec.mode = schema::Mode::infer;
  result.spec.device = schema::DeviceId::parse(id.substr(device, batch - device - 2)).value();
  result.spec.batch_size = std::stoll(id.substr(batch));
  for (const double seconds : step_seconds)
    result.launches.push_back({static_cast<std::int64_t>(result.launches.size()), seconds});
  if (!step_seconds.empty()) result.step_seconds = step_seconds.front();
  return result;
}

// Gives the launches of RESULT their values of METRIC, which is not the step's time.
inline void set_values(report::ComparedCase& result, schema::GatedMetric metric, const std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) result.launches.at(i).others[metric] = values[i];
}

// Makes the peak memory of RESULT the count of the device's allocator.
inline void count_memory(report::ComparedCase& result) {
  for (report::ComparedLaunch& launch : result.launches) launch.counts_memory = true;
}

// Returns a case that others published.
inline report::ComparedCase published_case(const std::string& id, double step_seconds,
                                           std::optional<schema::Interval> ci95,
                                           std::vector<std::string> cautions = {}) {
  report::ComparedCase result = compared_case(id, {});
  result.step_seconds = step_seconds;
  result.ci95 = ci95;
  result.flags = {schema::kPublishedFlag};
  result.published = schema::Published{"a file", "https://example.org", std::move(cautions), "", {}, {}};
  return result;
}

inline report::ComparedReport compared_report(const std::string& file, std::vector<report::ComparedCase> cases) {
  report::ComparedReport report;
  report.file = file;
  report.run_id = file;
  report.run_status = schema::RunStatus::complete;
  report.host.name = "epyc-0a1b";
  report.host.cpu.model = "AMD EPYC";
  report.cases = std::move(cases);
  return report;
}

}  // namespace mpsbench::tests
