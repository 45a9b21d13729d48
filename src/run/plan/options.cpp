#include "run/plan/options.hpp"

#include "base/place.hpp"
#include "suite/option.hpp"

#include <set>

namespace mpsbench::run {

namespace {

namespace fs = std::filesystem;
using schema::Purpose;

Options read_common_options(const suite::Settings& settings) {
  Options options;
  if (settings.export_json.has()) options.report = base::behind_links(settings.export_json.value());
  options.host_name = settings.host_name.optional();
  options.seed = settings.of(&schema::CaseSpec::seed).value_or(0);
  options.price_dollars = settings.price_dollars.optional();
  options.epochs_projected = settings.epochs_projected.optional();
  const std::vector<double> percentiles = settings.percentiles.value_or({});
  const std::set<double> rising(percentiles.begin(), percentiles.end());
  options.percentiles.assign(rising.begin(), rising.end());
  options.is_strict = settings.strict.is_on();
  options.measures_ceilings = settings.ceilings.is_on();
  options.reports_losses = settings.verbose.is_on();
  options.timeout_seconds = settings.timeout_seconds.optional();
  options.repeats_origin = settings.repeats.origin();
  options.has_own_max_time = settings.max_time_seconds.is_on_command_line();
  return options;
}

schema::GateInfo read_gate(const suite::Settings& settings) {
  schema::GateInfo gate;
  gate.alpha = settings.alpha.value_or(gate.alpha);
  gate.budget_seconds = settings.budget_seconds.value_or(gate.budget_seconds);
  gate.fail_on_regression = settings.fail_on_regression.is_on();
  gate.fail_on_undecided = settings.fail_on_undecided.is_on();
  gate.force = settings.force.is_on();
  return gate;
}

// Throws if an option with TRAIT is on the command line. In a suite it may be meant for another command.
void refuse(const suite::Settings& settings, bool suite::OptionTraits::* trait, const std::string& why) {
  for (const suite::Option& option : suite::options()) {
    const suite::AnySetting& setting = option.in(settings);
    if (option.traits.*trait && setting.is_on_command_line()) throw setting.error(why);
  }
}

}  // namespace

Options read_run_options(const suite::Settings& settings) {
  Options options = read_common_options(settings);
  if (!settings.baseline.has() && !settings.versus.has()) {
    refuse(settings, &suite::OptionTraits::needs_gate,
           "needs something to compare with; add --baseline FILE or --versus WORKER");
    return options;
  }
  options.baseline = settings.baseline.value_or("");
  options.versus = settings.versus.value_or("");
  options.purpose = settings.baseline.has() ? Purpose::baseline : Purpose::versus;
  options.gate = read_gate(settings);
  if (settings.baseline.has() && settings.versus.has())
    throw settings.versus.error("measures the other side itself; leave out --baseline");
  if (settings.baseline.has() && options.report && base::is_same_place(options.baseline, *options.report))
    throw settings.export_json.error("would overwrite the --baseline; choose another place");
  return options;
}

Options read_calibration_options(const suite::Settings& settings) {
  refuse(settings, &suite::OptionTraits::is_refused_by_calibrate, "calibrate does not take this option; leave it out");
  Options options = read_common_options(settings);
  options.purpose = Purpose::calibrate;
  return options;
}

}  // namespace mpsbench::run
