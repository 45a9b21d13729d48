// Receives what a run reports while it runs and at its end. The command line implements it.
#pragma once

#include "base/interface.hpp"
#include "report/compare/compare.hpp"
#include "report/compare/required_launches.hpp"
#include "schema/report.hpp"
#include "supervise/run_launches.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::run {

class View : public base::Interface {
 public:
  // The search for a case's batch size has tried a batch, or has ended.
  virtual void on_trial(const std::string& case_id, const std::string& result) = 0;

  // The package of CASE_ID is being compiled: STAGE is what the compiler does after ELAPSED_SECONDS of about
  // EXPECTED_SECONDS, which are known if packages were compiled before. Called about once a second.
  virtual void on_compile(const std::string& case_id, const std::string& stage, double elapsed_seconds,
                          std::optional<double> expected_seconds) = 0;
  // It took SECONDS.
  virtual void on_compiled(const std::string& case_id, double seconds) = 0;
  // There can be no package of CASE_ID. A reason is told once, even if other cases have it, too.
  virtual void on_compile_failed(const std::string& case_id, const std::string& reason) = 0;

  // The launches of RECORDS begin. These are runs of one plan that take turns. If GOES_ON_UNTIL is set, more
  // launches follow until then, by the steady clock. Returns the listener for the launches.
  virtual supervise::RunListener& on_launches_begin(const std::vector<const schema::RunRecord*>& records,
                                                    std::optional<double> goes_on_until) = 0;
  virtual void on_launches_end() = 0;

  virtual void on_report(const schema::Report& report) = 0;
  // A report was written to PLACE. CAN_GO_ON means that --resume would run launches that it lacks, or
  // that crashed.
  virtual void on_report_written(const std::filesystem::path& place, bool can_go_on) = 0;

  virtual void on_comparison(const report::Comparison& comparison, const std::vector<std::string>& notes) = 0;
  virtual void on_calibration(const std::vector<report::CalibratedCase>& cases) = 0;
};

}  // namespace mpsbench::run
