#include "cli/calibrate.hpp"

#include "cli/run_outcome.hpp"
#include "output/calibration_table.hpp"
#include "report/calibration.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <map>
#include <string>

namespace mpsbench::cli {
namespace {

using base::ExitCode;

// Runs of --repeats launches each, one after the other.
constexpr std::int64_t kCalibrationRuns = 10;

// What holds a run against another one has no place here.
constexpr const char* kRefused[] = {
    "baseline",          "versus", "dump-first-step", "alpha", "budget", "fail-on-regression",
    "fail-on-undecided", "force"};

class Calibrating final : public Sequel {
 public:
  explicit Calibrating(const suite::Settings& settings) : settings_(settings) {
    for (const char* name : kRefused) {
      if (settings.has(name) && settings.origin(name).starts_with("--"))  // a suite may have some for run
        throw settings.error(name, "calibrate measures one thing alone; leave it out");
    }
  }

  void prepare(schema::RunRecord& record) override {
    for (schema::PlannedCase& planned : record.run.plan) {
      if (planned.is_bound || record.launches.contains(planned.id)) continue;  // it does not run
      if (planned.repeats < 2)
        throw settings_.error("repeats",
                              "one launch a run tells nothing of its spread; give --repeats 2 or more");
      planned.repeats *= kCalibrationRuns;
    }
  }

  [[nodiscard]] bool is_resumable() const override { return false; }

  ExitCode conclude(const std::vector<schema::Report>& reports) override {
    const schema::Report& report = reports.front();
    std::map<schema::DeviceId, report::Spreads> by_device;
    std::vector<output::CalibratedCase> rows;
    for (std::size_t i = 0; i < report.cases.size(); ++i) {
      const schema::CaseResult& result = report.cases[i];
      const std::int64_t launches = report.run.plan[i].repeats / kCalibrationRuns;
      const auto spread = report::calibrate(result, launches);
      rows.push_back({result.id, launches, spread});
      if (spread) by_device[result.spec.device][result.id] = *spread;
    }
    const report::Calibration calibration(report::cache_folder());
    for (const auto& [device, spreads] : by_device) calibration.keep(report.host, device, spreads);
    const std::string text = "\n" + output::calibration_table(rows);
    std::fputs(text.c_str(), output_format(settings_) == "table" ? stdout : stderr);
    return by_device.empty() ? ExitCode::incomplete : ExitCode::ok;
  }

 private:
  suite::Settings settings_;
};

}  // namespace

CLI::App* add_calibrate_command(CLI::App& app, RunOptions& options) {
  CLI::App* command = app.add_subcommand("calibrate",
                                         "Record how far two runs of the same work lie apart on this "
                                         "machine: measures ten times as often as run");
  add_run_options(*command, options);
  for (const char* name : kRefused)
    command->get_option("--" + std::string(name))->group("");  // not in the help
  return command;
}

ExitCode run_calibrate(const RunOptions& options) {
  return run_with(options, [](const suite::Settings& settings) -> std::unique_ptr<Sequel> {
    return std::make_unique<Calibrating>(settings);
  });
}

}  // namespace mpsbench::cli
