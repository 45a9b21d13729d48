// Which cases of a page the charts of rows per second show, and in which order.
#pragma once

#include "output/page/page_figure.hpp"
#include "output/page/page_reports.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace mpsbench::output {

struct RatedCase {
  std::size_t report = 0;
  std::size_t number = 0;  // in its report
  Figure rate;
};

// A network in one mode, on all devices of all reports.
struct RatedGroup {
  std::string model;
  schema::Mode mode = schema::Mode::train;
  std::vector<RatedCase> cases;  // fastest first; of several batch sizes, only the fastest
};

struct RatedCases {
  std::vector<RatedGroup> groups;  // those that most reports have first, then training, then large networks
  // How many cases of the page are not in GROUPS.
  std::size_t other_batches = 0;
  std::size_t other_work = 0;  // see schema::Caution
  std::size_t without_time = 0;
};

[[nodiscard]] RatedCases rated_cases(const PageReports& page);

// Returns whether at least one loss of the case is not finite.
[[nodiscard]] bool has_diverged(const schema::CaseResult& result);
// Returns the case of the page.
[[nodiscard]] const schema::CaseResult& result_of(const PageReports& page, const RatedCase& rated);
// Returns the report's letter, if the page has several, and the case's device: "A NVIDIA H200 cuda".
[[nodiscard]] std::string device_of(const PageReports& page, const RatedCase& rated);

}  // namespace mpsbench::output
