#include "output/page/page_reports.hpp"

#include "output/text/short_ids.hpp"
#include "report/compare/compared_of.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace mpsbench::output {
namespace {

std::string letter(std::size_t number) {
  return number < 26 ? std::string(1, static_cast<char>('A' + number)) : std::to_string(number + 1);
}

// Leaves out what all cases of the page share, so that the ids of two reports look alike.
std::vector<std::vector<std::string>> ids_of(const std::vector<schema::Report>& reports) {
  std::vector<std::string> ids;
  for (const schema::Report& report : reports) {
    for (const schema::CaseResult& result : report.cases) ids.push_back(result.id);
  }
  const std::vector<std::string> names = short_ids(ids);
  std::vector<std::vector<std::string>> all;
  auto next = names.begin();
  for (const schema::Report& report : reports) {
    const auto end = next + std::ssize(report.cases);
    all.emplace_back(next, end);
    next = end;
  }
  return all;
}

}  // namespace

PageReports page_reports(const std::vector<schema::Report>& reports) {
  PageReports page;
  page.all = &reports;
  page.ids = ids_of(reports);
  std::size_t lettered = 0;
  for (const schema::Report& report : reports) {
    page.letters.push_back(report.cases.empty() ? "–" : letter(lettered++));
    page.compared.push_back(report::compared_of(report, page.letters.back()));
  }
  page.machines = report::machine_table(page.compared);
  page.comparability = report::comparability(page.machines);
  return page;
}

std::string case_anchor(std::size_t report, std::size_t number) {
  const char first = report < 26 ? static_cast<char>('a' + report) : 'z';
  return first + (report < 26 ? "" : std::to_string(report) + "-") + std::to_string(number);
}

std::vector<std::string> options_of(const std::string& id) {
  std::vector<std::string> options;
  for (std::size_t at = id.find('+'); at != std::string::npos;) {
    const std::size_t end = id.find('+', at + 1);
    options.push_back(id.substr(at + 1, end == std::string::npos ? end : end - at - 1));
    at = end;
  }
  return options;
}

std::string device_title(const schema::HostInfo& host, const schema::DeviceId& device) {
  const auto accelerator = std::ranges::find(host.accelerators, device, &schema::Accelerator::device);
  std::string name = host.name;
  if (accelerator != host.accelerators.end() && !accelerator->name.empty()) {
    name = accelerator->name;
  } else if (device.kind == schema::DeviceKind::cpu && !host.cpu.model.empty()) {
    name = host.cpu.model;
  }
  return name + " " + to_string(device);
}

std::string launch_name(const schema::Launch& launch) {
  // Unsigned, because the index in a stranger's file may be the largest integer.
  return std::to_string(static_cast<std::uint64_t>(launch.index) + 1);
}

std::string series_of(const schema::CaseResult& result) {
  std::string name = to_string(result.spec.device);
  if (result.spec.precision != schema::Precision::fp32) name += " " + to_string(result.spec.precision);
  if (result.spec.engine != schema::Engine::eager) name += " " + to_string(result.spec.engine);
  if (result.spec.dataset != schema::Dataset::synthetic) name += " " + to_string(result.spec.dataset);
  std::string options = result.id.substr(std::min(result.id.find('+'), result.id.size()));
  std::replace(options.begin(), options.end(), '+', ' ');
  return name + options + (result.published ? " (published)" : "");
}

}  // namespace mpsbench::output
