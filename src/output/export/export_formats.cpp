#include "output/export/export_formats.hpp"

#include "base/error.hpp"
#include "output/export/bencher.hpp"
#include "output/export/exporters.hpp"
#include "output/export/github_action.hpp"
#include "output/export/google_benchmark.hpp"
#include "output/export/hyperfine.hpp"
#include "output/export/junit.hpp"
#include "output/page/page.hpp"
#include "output/text/quoting.hpp"
#include "output/text/text.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace mpsbench::output {
namespace {

using schema::Report;
using Reports = std::vector<Report>;

bool same_host(const Reports& reports) {
  return std::all_of(reports.begin(), reports.end(),
                     [&](const Report& report) { return report.host.name == reports.front().host.name; });
}

template <std::string (*Write)(const Report&)>
std::string of_joined(const Reports& reports) {
  return Write(joined(reports));
}

// A context is of one machine.
std::string google_benchmark(const Reports& reports) {
  if (!same_host(reports))
    throw base::usage_error("--format google-benchmark: tells of one host; export the reports of " +
                            base::excerpt(reports.front().host.name) + " and other hosts one by one");
  return to_google_benchmark(joined(reports));
}

// A table a report, headed by its host and start where there are several.
std::string markdown_tables(const Reports& reports) {
  if (reports.size() == 1) return to_markdown(reports.front());
  std::string text;
  for (const Report& report : reports) {
    text += (text.empty() ? "**" : "\n**") + markdown_cell(report.host.name) + "**, " +
            markdown_cell(report.run.started_at) + "\n\n" + to_markdown(report);
  }
  return text;
}

}  // namespace

Report joined(const Reports& reports) {
  const bool one_host = same_host(reports);
  Report all{reports.front().tool, reports.front().run, reports.front().host, {}};
  std::set<std::string> names;
  for (const Report& report : reports) {
    for (schema::CaseResult result : report.cases) {
      if (!one_host) result.id += "@" + report.host.name;
      // As they are written: two hostile names may look alike.
      if (!names.insert(printable(result.id)).second)
        throw base::usage_error("two cases are called " + base::excerpt(result.id) +
                                "; join them by mpsbench merge, or export the reports one by one");
      all.cases.push_back(std::move(result));
    }
  }
  return all;
}

const std::vector<ExportFormat>& export_formats() {
  static const std::vector<ExportFormat> kFormats{{"csv", of_joined<to_csv>},
                                                  {"md", markdown_tables},
                                                  {"html", to_html},
                                                  {"junit", to_junit},
                                                  {"google-benchmark", google_benchmark},
                                                  {"hyperfine", of_joined<to_hyperfine>, true},
                                                  {"github-action", of_joined<to_github_action>, true},
                                                  {"bencher", of_joined<to_bencher>, true}};
  return kFormats;
}

}  // namespace mpsbench::output
