#include "report/compare/report_names.hpp"

#include <filesystem>
#include <set>

namespace mpsbench::report {
namespace {

using Describe = std::string (*)(const ComparedReport&);

// What may tell two runs apart; the last always does, unless somebody gave one file twice.
constexpr Describe kDescriptions[] = {
    [](const ComparedReport& report) { return report.started_at.substr(0, 10); },
    [](const ComparedReport& report) { return schema::commit_text(report.tool); },
    [](const ComparedReport& report) { return std::filesystem::path(report.file).filename().string(); },
    [](const ComparedReport& report) { return report.file; }};

bool tells_apart(const std::vector<const ComparedReport*>& runs, Describe describe) {
  std::set<std::string> texts;
  for (const ComparedReport* run : runs) {
    const std::string text = describe(*run);
    if (text.empty() || !texts.insert(text).second) return false;
  }
  return true;
}

}  // namespace

std::map<const ComparedReport*, std::string> report_names(const std::vector<const ComparedReport*>& reports) {
  std::map<std::string, std::vector<const ComparedReport*>> hosts;
  for (const ComparedReport* report : reports) hosts[report->host.name].push_back(report);
  std::map<const ComparedReport*, std::string> names;
  for (const auto& [host, runs] : hosts) {
    Describe describe = kDescriptions[std::size(kDescriptions) - 1];
    for (const Describe candidate : kDescriptions) {
      if (!tells_apart(runs, candidate)) continue;
      describe = candidate;
      break;
    }
    for (const ComparedReport* run : runs) names[run] = host + (runs.size() > 1 ? ", " + describe(*run) : "");
  }
  return names;
}

}  // namespace mpsbench::report
