// Shared by the tests of run/: a view that keeps what it receives, and the fake worker.
#pragma once

#include "run/plan/run_event.hpp"
#include "support/errors.hpp"
#include "support/sample_run.hpp"
#include "support/scratch.hpp"

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace mpsbench::tests {

inline std::filesystem::path fake_worker() {
  return MPSBENCH_FAKE_WORKER;
}

class RecordingView {
 public:
  [[nodiscard]] run::RunSink sink() {
    return [this](const run::RunEvent& event) { std::visit([this](const auto& one) { note(one); }, event); };
  }

  std::vector<std::string> trials;
  std::vector<std::string> told;
  std::vector<std::string> stages;  // of compilations

 private:
  void note(const run::BatchTried& one) { trials.push_back(one.case_id + ": " + one.result); }
  void note(const run::Compiling& one) { stages.push_back(one.stage); }
  void note(const run::Compiled& one) { told.push_back("compiled " + one.case_id); }
  void note(const run::NotCompiled& one) { told.push_back("not compiled " + one.case_id + ": " + one.reason); }
  void note(const run::LaunchesBegin& one) {
    told.push_back("begin " + std::to_string(one.records.size()) + (one.goes_on_until ? ", goes on" : ""));
  }
  void note(const supervise::LaunchEvent& /*one*/) {}
  void note(const run::LaunchesEnd& /*one*/) { told.emplace_back("end"); }
  void note(const run::ReportMade& one) { told.push_back("report " + to_string(one.report.run.status)); }
  void note(const run::ReportWritten& one) {
    told.push_back("written " + one.place.filename().string() + (one.can_go_on ? ", can go on" : ""));
  }
  void note(const run::ComparisonMade& one) {
    for (const report::CaseComparison& each : one.comparison.cases) told.push_back(to_string(each.verdict));
  }
  void note(const run::Calibrated& one) { told.push_back("calibrated " + std::to_string(one.cases.size())); }
};

// Makes a run without launches. The fake worker can run them quickly, because its steps take no time.
inline schema::RunRecord quick_run(std::int64_t repeats) {
  schema::RunRecord record = sample_run({sample_spec("mlp", schema::Mode::train, 64)}, repeats);
  record.run.finished_at.reset();
  record.run.status = schema::RunStatus::partial;
  record.host.libtorch.reset();
  return record;
}

}  // namespace mpsbench::tests
