// How the work of two cases differs.
#pragma once

#include "report/compare/compared_report.hpp"
#include "schema/case_spec.hpp"

#include <optional>
#include <string>
#include <vector>

namespace mpsbench::report {

// The names of the two sides in remarks: "before" and "after", or their files.
struct SideNames {
  std::string first;
  std::string second;

  // Returns a remark such as "LibTorch 2.13.0 before, 2.14.0 after".
  [[nodiscard]] std::string remark(const std::string& what, const std::string& one, const std::string& other) const;
  // Adds a line if ONE and OTHER differ.
  void tell(std::vector<std::string>& lines, const std::string& what, const std::optional<std::string>& one,
            const std::optional<std::string>& other) const;
};

// Returns the first difference in the work of two cases, or an empty text if there is none. SpecRole says
// what belongs to the work.
[[nodiscard]] std::string changed_work(const schema::CaseSpec& before, const schema::CaseSpec& after,
                                       const SideNames& sides);

// How the connections of several processes differ between two reports.

// Adds a line for the paths between the GPUs and one for the network, if they differ and both reports have
// cases of several processes that use them. Nothing is said if neither report knows them.
void check_connections(const ComparedReport& before, const ComparedReport& after, const SideNames& sides,
                       std::vector<std::string>& lines);

}  // namespace mpsbench::report
