// Shows reports as one page for a browser. The front writes its sentences, its tables and everything that its script
// can draw, as JSON; page.css and page.js are the same in every page. The page loads nothing from elsewhere, and its
// content security policy allows no other style or script.
#pragma once

#include "output/page/page_reports.hpp"
#include "report/compare/machine_summary.hpp"
#include "schema/report.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mpsbench::output {

// REPORTS must not be empty. FILES are their names, in the same order; it may be empty if they have none.
[[nodiscard]] std::string to_html(const std::vector<schema::Report>& reports,
                                  const std::vector<std::string>& files = {});

// Made from page.css and page.js.
extern const std::string_view kPageStyle;
extern const std::string_view kPageScript;

// A machine's speeds against a reference.
struct PageSpeeds {
  std::size_t machine = 0;
  std::vector<report::PairSpeed> pairs;
  report::MachineSpeeds all;
};

// All machines against one of them.
struct PageReference {
  std::size_t machine = 0;
  std::vector<PageSpeeds> others;  // those that share a case with it, fastest first
  std::string answer;              // one sentence
};

// Returns an entry for each machine that shares a case with another one, the usual reference first. So that
// pages stay small, only the first of very many machines that share the most are references.
[[nodiscard]] std::vector<PageReference> page_references(const PageReports& page);

// Returns "NVIDIA H200 and AMD EPYC 9654", or "epyc-9 before and after" for a gate.
[[nodiscard]] std::string page_title(const PageReports& page);
// Returns the answer: of the gate, against the first of REFERENCES, or of one machine.
[[nodiscard]] std::string page_answer(const PageReports& page, const std::vector<PageReference>& references);
// Returns what else readers should know at once, a sentence each.
[[nodiscard]] std::vector<std::string> page_remarks(const PageReports& page);
// Returns "8 cases, measured on 2026-11-22 by mpsbench 0.1.0 with LibTorch 2.13.0".
[[nodiscard]] std::string page_subtitle(const PageReports& page);

// What the page shows of a case's launches: their figures, their samples in order and as histograms, and what
// sensors read.

// Returns VALUE with so many significant digits, or null if it is not finite.
[[nodiscard]] nlohmann::ordered_json shortened(double value, int digits = 5);

// Returns how many points of a launch's samples are shown, so that the page stays small.
[[nodiscard]] std::size_t points_a_launch(const std::vector<schema::Report>& reports);

// Returns the positions of the values to draw: all or, of more than MOST (>= 2), the smallest and the largest
// of each stretch, in their order.
[[nodiscard]] std::vector<std::size_t> thinned(std::span<const double> values, std::size_t most);

[[nodiscard]] nlohmann::ordered_json launches_view(const schema::CaseResult& result, std::size_t most_points);

// Returns everything that the page's script can draw, as one JSON object: machines, cases with their figures, the
// same work on several machines with ratios, and verdicts. Every figure has its text here; the script makes none.
[[nodiscard]] nlohmann::ordered_json page_view(const PageReports& page, const std::vector<PageReference>& references);

}  // namespace mpsbench::output
