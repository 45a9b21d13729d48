// What disturbed the launches of a report, in words.
#pragma once

#include "schema/report.hpp"

#include <string>
#include <vector>

namespace mpsbench::output {

struct Disturbance {
  std::string what;
  std::string cure;
};

// Returns what may have made the launches that count slower.
[[nodiscard]] std::vector<Disturbance> disturbances(const std::vector<const schema::CaseResult*>& cases);

// Says how many launches were set aside, and of which cases too few are left for that. Empty if no launch was
// disturbed.
[[nodiscard]] std::string disturbed_remark(const std::vector<const schema::CaseResult*>& cases);

// Joins TEXTS as in "a, b and c".
[[nodiscard]] std::string listed(const std::vector<std::string>& texts, const std::string& last);
// Joins two sentences, either of which may be empty.
[[nodiscard]] std::string chained(const std::string& first, const std::string& second);

}  // namespace mpsbench::output
