#include "run/options.hpp"

namespace mpsbench::run {
namespace {

namespace fs = std::filesystem;
using schema::Purpose;

Options read_common_options(const suite::Settings& settings) {
  Options options;
  if (const auto file = settings.text("export-json")) options.report = *file;
  options.host_name = settings.text("host-name");
  options.seed = settings.count("seed").value_or(0);
  options.price_dollars = settings.number("price");
  options.is_strict = settings.flag("strict");
  options.measures_ceilings = settings.flag("ceilings");
  options.reports_losses = settings.flag("verbose");
  options.timeout_seconds = settings.seconds("timeout");
  options.repeats_origin = settings.has("repeats") ? settings.origin("repeats") : "--repeats";
  options.has_own_max_time = is_on_command_line(settings, "max-time");
  return options;
}

schema::GateInfo read_gate(const suite::Settings& settings) {
  schema::GateInfo gate;
  gate.alpha = settings.ratio("alpha").value_or(gate.alpha);
  gate.budget_seconds = settings.seconds("budget").value_or(gate.budget_seconds);
  gate.fail_on_regression = settings.flag("fail-on-regression");
  gate.fail_on_undecided = settings.flag("fail-on-undecided");
  gate.force = settings.flag("force");
  return gate;
}

void refuse_gate_options(const suite::Settings& settings) {
  for (const char* name : {"fail-on-regression", "fail-on-undecided", "alpha", "budget", "force"}) {
    if (is_on_command_line(settings, name))
      throw settings.error(name, "needs something to compare with; add --baseline FILE or --versus WORKER");
  }
}

}  // namespace

bool is_on_command_line(const suite::Settings& settings, const std::string& name) {
  return settings.has(name) && settings.origin(name).starts_with("--");
}

Options read_run_options(const suite::Settings& settings) {
  Options options = read_common_options(settings);
  const auto baseline = settings.text("baseline");
  const auto versus = settings.text("versus");
  if (!baseline && !versus) {
    refuse_gate_options(settings);
    return options;
  }
  if (baseline && versus)
    throw settings.error("versus", "measures the other side itself; leave out --baseline");
  if (baseline && options.report && fs::weakly_canonical(*baseline) == fs::weakly_canonical(*options.report))
    throw settings.error("export-json", "would overwrite the --baseline; choose another place");
  options.purpose = baseline ? Purpose::baseline : Purpose::versus;
  options.baseline = baseline.value_or("");
  options.versus = versus.value_or("");
  options.gate = read_gate(settings);
  return options;
}

Options read_calibration_options(const suite::Settings& settings) {
  for (const char* name : kRefusedByCalibration) {
    if (is_on_command_line(settings, name))  // a suite may have some for run
      throw settings.error(name, "calibrate measures one thing alone; leave it out");
  }
  Options options = read_common_options(settings);
  options.purpose = Purpose::calibrate;
  return options;
}

}  // namespace mpsbench::run
