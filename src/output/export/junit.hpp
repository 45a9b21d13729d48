// JUnit's XML, as Ant's schema and Jenkins' have it.
#pragma once

#include "report/compare/compare.hpp"
#include "schema/report.hpp"

#include <string>
#include <vector>

namespace mpsbench::output {

// A test suite a report, a test case a case, whose time is that of its launches. Out of memory, timed out
// and failed are failures, a crash is an error; what this machine cannot run, what an interrupted run did not
// come to and the batch above the largest are skipped. The schemas have no properties of test cases, so
// figures and flags stand in the suite's, as "ID step_seconds".
[[nodiscard]] std::string to_junit(const std::vector<schema::Report>& reports);

// A test a case, which takes no time: failed when it is slower, skipped when it is undecided or not compared
// (IS_OPEN_FAILURE: failed then, too).
[[nodiscard]] std::string comparison_junit(const report::Comparison& comparison, bool is_open_failure);

}  // namespace mpsbench::output
