// What a run reports while it runs and at its end. The command line shows it.
#pragma once

#include "report/compare/compare.hpp"
#include "report/compare/required_launches.hpp"
#include "schema/report.hpp"
#include "supervise/run_launches.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace mpsbench::run {

// The search for a case's batch size has tried a batch, or has ended.
struct BatchTried {
  std::string case_id;
  std::string result;
};

// The package of a case is being compiled: STAGE is what the compiler does after ELAPSED_SECONDS of about
// EXPECTED_SECONDS, which are known if packages were compiled before. Comes about once a second.
struct Compiling {
  std::string case_id;
  std::string stage;
  double elapsed_seconds = 0;
  std::optional<double> expected_seconds;
};
struct Compiled {
  std::string case_id;
  double seconds = 0;  // that it took
};
// There can be no package. A reason is told once, even if other cases have it, too.
struct NotCompiled {
  std::string case_id;
  std::string reason;
};

// The launches of RECORDS, runs of one plan that take turns, begin. If GOES_ON_UNTIL is set, more launches
// follow until then, by the steady clock.
struct LaunchesBegin {
  std::vector<const schema::RunRecord*> records;
  std::optional<double> goes_on_until;
};
struct LaunchesEnd {};

struct ReportMade {
  const schema::Report& report;
};
// CAN_GO_ON means that --resume would run launches that the report at PLACE lacks, or that crashed.
struct ReportWritten {
  const std::filesystem::path& place;
  bool can_go_on = false;
};

struct ComparisonMade {
  const report::Comparison& comparison;
  const std::vector<std::string>& notes;
};
struct Calibrated {
  const std::vector<report::CalibratedCase>& cases;
};

using RunEvent = std::variant<BatchTried, Compiling, Compiled, NotCompiled, LaunchesBegin, supervise::LaunchEvent,
                              LaunchesEnd, ReportMade, ReportWritten, ComparisonMade, Calibrated>;
using RunSink = std::function<void(const RunEvent&)>;

}  // namespace mpsbench::run
