// Shared by the tests of run/: a view that keeps what it receives, and the fake worker.
#pragma once

#include "run/plan/view.hpp"
#include "support/errors.hpp"
#include "support/sample_run.hpp"
#include "support/scratch.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::tests {

[[nodiscard]] std::filesystem::path fake_worker();

class RecordingView final : public run::View {
 public:
  void on_trial(const std::string& case_id, const std::string& result) override {
    trials.push_back(case_id + ": " + result);
  }
  void on_compile(const std::string& /*case_id*/, const std::string& stage, double /*elapsed_seconds*/,
                  std::optional<double> /*expected_seconds*/) override {
    stages.push_back(stage);
  }
  void on_compiled(const std::string& case_id, double /*seconds*/) override { told.push_back("compiled " + case_id); }
  void on_compile_failed(const std::string& case_id, const std::string& reason) override {
    told.push_back("not compiled " + case_id + ": " + reason);
  }
  supervise::RunListener& on_launches_begin(const std::vector<const schema::RunRecord*>& records,
                                            std::optional<double> goes_on_until) override {
    told.push_back("begin " + std::to_string(records.size()) + (goes_on_until ? ", goes on" : ""));
    return nobody_;
  }
  void on_launches_end() override { told.push_back("end"); }
  void on_report(const schema::Report& report) override { told.push_back("report " + to_string(report.run.status)); }
  void on_report_written(const std::filesystem::path& place, bool can_go_on) override {
    told.push_back("written " + place.filename().string() + (can_go_on ? ", can go on" : ""));
  }
  void on_comparison(const report::Comparison& comparison, const std::vector<std::string>& /*notes*/) override {
    for (const report::CaseComparison& one : comparison.cases) told.push_back(to_string(one.verdict));
  }
  void on_calibration(const std::vector<report::CalibratedCase>& cases) override {
    told.push_back("calibrated " + std::to_string(cases.size()));
  }

  std::vector<std::string> trials;
  std::vector<std::string> told;
  std::vector<std::string> stages;  // of compilations

 private:
  supervise::RunListener nobody_;
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
