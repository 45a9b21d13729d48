// How the work of two cases differs.
#pragma once

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
  [[nodiscard]] std::string remark(const std::string& what, const std::string& one,
                                   const std::string& other) const;
  // Adds a line if ONE and OTHER differ.
  void tell(std::vector<std::string>& lines, const std::string& what, const std::optional<std::string>& one,
            const std::optional<std::string>& other) const;
};

// Returns the first difference in the work of two cases, or an empty text if there is none. Ignores devices
// and what OwnSettings has, which belong to the machines.
[[nodiscard]] std::string changed_work(const schema::CaseSpec& before, schema::CaseSpec after,
                                       const SideNames& sides);

}  // namespace mpsbench::report
