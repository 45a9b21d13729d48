// JUnit's XML. It fits the schemas of Ant and of Jenkins.
#pragma once

#include "report/compare/compare.hpp"
#include "schema/report.hpp"

#include <string>
#include <vector>

namespace mpsbench::output {

// Each report is a test suite and each case a test case, with the time of its launches. The statuses oom,
// timeout and failed are failures, and a crash is an error. Skipped are cases that this machine cannot run,
// cases that an interrupted run did not reach, and the batch above the largest one. The schemas have no
// properties of test cases, so the suite's properties hold figures and flags, as "ID step_seconds".
[[nodiscard]] std::string to_junit(const std::vector<schema::Report>& reports);

// Each case is a test that takes no time, and so is each further metric of it: "ID peak-memory". It fails if
// the case is slower, or larger in that metric. If the case is undecided or not compared, the test is
// skipped, or fails if IS_OPEN_FAILURE is set.
[[nodiscard]] std::string comparison_junit(const report::Comparison& comparison, bool is_open_failure);

}  // namespace mpsbench::output
