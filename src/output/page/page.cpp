#include "output/page/page.hpp"

#include "output/page/page_batches.hpp"
#include "output/page/page_cases.hpp"
#include "output/page/page_details.hpp"
#include "output/page/page_glance.hpp"
#include "output/page/page_hosts.hpp"
#include "output/page/page_machines.hpp"
#include "output/page/page_rates.hpp"
#include "output/page/page_roofline.hpp"
#include "output/page/page_scaling.hpp"
#include "output/page/page_speeds.hpp"
#include "output/page/page_style.hpp"
#include "output/page/page_verdicts.hpp"
#include "output/text/quoting.hpp"

#include <algorithm>
#include <array>

namespace mpsbench::output {
namespace {

constexpr std::size_t kFewReports = 6;  // more of them would fill a phone's screen before the first chart

struct Part {
  const char* id;
  const char* title;
  std::string html;  // empty: there is nothing to show
};

std::string title_of(const std::vector<schema::Report>& reports) {
  std::vector<std::string> hosts;
  for (const schema::Report& report : reports) {
    if (std::find(hosts.begin(), hosts.end(), report.host.name) == hosts.end())
      hosts.push_back(report.host.name);
  }
  std::string title = "mpsbench: " + hosts.front();
  if (hosts.size() == 2) title += " and " + hosts.back();
  if (hosts.size() > 2) title += " and " + std::to_string(hosts.size() - 1) + " more";
  return xml_text(title);
}

std::string head_of(const std::string& title) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
         "'unsafe-inline'\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n<title>" +
         title + "</title>\n<style>" + page_style() + "</style>\n</head>\n";
}

}  // namespace

std::string to_html(const std::vector<schema::Report>& reports) {
  const PageReports page = page_reports(reports);
  const std::string verdicts = verdicts_section(page);
  SeriesNames devices;
  const RatedCases rated = rated_cases(page);
  const auto speeds = verdicts.empty() ? page_speeds(page) : std::nullopt;
  const std::string glance = glance_section(page, rated, speeds);
  const bool few = reports.size() <= kFewReports;
  const std::array<Part, 13> parts{
      {{"glance", "At a glance", few ? glance : ""},
       {"verdicts", "Verdicts", verdicts},
       {"rates", "Rows per second", rates_section(page, rated, devices)},
       {"speeds", "Speeds", speeds ? speeds_section(page, *speeds, devices) : ""},
       {"glance", "At a glance", few ? "" : glance},
       {"hosts", "Hardware", hosts_section(page)},
       {"machines", "Machines and devices", verdicts.empty() ? machines_section(page) : ""},
       {"cases", "Cases", cases_section(page)},
       {"batches", "Against batch size", batches_section(page)},
       {"scaling", "Scaling", scaling_section(page)},
       {"roofline", "Roofline", roofline_section(page)},
       {"details", "Each case", details_section(page)},
       {"flags", "Flags", flags_section(page)}}};
  const std::string title = title_of(reports);
  std::string text = head_of(title) +
                     "<body>\n<a class=\"skip\" href=\"#main\">Skip to the figures</a>\n<header><h1>" +
                     title + "</h1>\n<nav aria-label=\"Parts of the page\"><ul>";
  for (const Part& part : parts) {
    if (!part.html.empty())
      text += std::string("<li><a href=\"#") + part.id + "\">" + part.title + "</a></li>";
  }
  text += "</ul></nav></header>\n<main id=\"main\">\n";
  for (const Part& part : parts) text += part.html;
  return text + "</main>\n</body>\n</html>\n";
}

}  // namespace mpsbench::output
