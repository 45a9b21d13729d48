// JUnit's XML, as Ant's schema and Jenkins' have it.
#pragma once

#include "schema/report.hpp"

#include <string>
#include <vector>

namespace mpsbench::output {

// A test suite a report, a test case a case, whose time is that of its launches. Out of memory, timed out
// and failed are failures, a crash is an error; what this machine cannot run, what an interrupted run did not
// come to and the batch above the largest are skipped. The schemas have no properties of test cases, so
// figures and flags stand in the suite's, as "ID step_seconds".
[[nodiscard]] std::string to_junit(const std::vector<schema::Report>& reports);

}  // namespace mpsbench::output
