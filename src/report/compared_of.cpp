#include "report/compared_of.hpp"

#include "base/json_file.hpp"
#include "stats/summary.hpp"

#include <cmath>
#include <map>
#include <string_view>

namespace mpsbench::report {
namespace {

void add_launches(const schema::CaseResult& result, ComparedCase& compared) {
  double logs = 0;
  for (const schema::Launch& launch : result.launches) {
    const double median = stats::median(launch.samples_seconds).value_or(0);
    if (launch.status != schema::Status::ok || !(median > 0)) continue;
    if (compared.launches.empty()) compared.backend = launch.backend;
    compared.launches.push_back({launch.index, median});
    logs += std::log(median);
  }
  if (!compared.launches.empty())
    compared.step_seconds = std::exp(logs / static_cast<double>(compared.launches.size()));
}

ComparedCase compared_case(const schema::CaseResult& result) {
  ComparedCase compared;
  compared.id = result.id;
  compared.definition_sha256 = result.definition_sha256;
  compared.device = result.spec.device;
  compared.batch_size = result.spec.batch_size;
  compared.spec_text = base::to_text(schema::to_json(result.spec));
  compared.status = result.status;
  compared.failure = result.failure;
  compared.ci95 = result.metrics.step_seconds.ci95;
  compared.flags = result.flags;
  compared.published = result.published;
  if (result.published) {
    const auto& mean = result.metrics.step_seconds.mean;
    if (mean.value_or(0) > 0) compared.step_seconds = mean;
  } else {
    add_launches(result, compared);
  }
  return compared;
}

}  // namespace

ComparedReport compared_of(const schema::Report& report, const std::string& file) {
  ComparedReport compared;
  compared.file = file;
  compared.run_id = report.run.id;
  compared.started_at = report.run.started_at;
  compared.run_status = report.run.status;
  compared.tool = report.tool;
  compared.host = report.host;
  std::map<std::string_view, const schema::PlannedCase*> planned;
  for (const schema::PlannedCase& one : report.run.plan) planned[one.id] = &one;
  for (const schema::CaseResult& result : report.cases) {
    compared.cases.push_back(compared_case(result));
    const auto found = planned.find(result.id);
    if (found == planned.end()) continue;
    compared.cases.back().threshold = found->second->threshold;
    compared.cases.back().max_launch_seconds = found->second->measure.max_time_seconds;
  }
  return compared;
}

}  // namespace mpsbench::report
