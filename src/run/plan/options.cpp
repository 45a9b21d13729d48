#include "run/plan/options.hpp"

#include "base/error.hpp"
#include "base/place.hpp"
#include "suite/option.hpp"

#include <algorithm>

namespace mpsbench::run {

namespace {

namespace fs = std::filesystem;
using schema::Purpose;

Options read_common_options(const suite::Settings& settings) {
  Options options;
  if (settings.export_json.has()) options.report = base::behind_links(settings.export_json.value());
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

RunRequest read_request(const suite::Catalog& catalog, const std::vector<std::string>& suites,
                        const suite::Settings& options) {
  RunRequest request;
  for (const std::string& name : suites) {
    if (std::ranges::count(suites, name) > 1)
      throw base::usage_error("the suite '" + name + "' appears twice; remove one");
    const suite::Suite one = catalog.load_suite(name);
    request.title += (request.title.empty() ? "" : "+") + one.name;
    request.settings = request.settings.overlaid_with(one.settings);
    for (const suite::Settings& matrix : one.matrices) request.matrices.push_back(matrix.overlaid_with(options));
  }
  // The limit of one suite says nothing about the time that several take.
  if (suites.size() > 1) request.settings.time_limit_seconds.clear();
  request.settings = request.settings.overlaid_with(options);
  if (!suites.empty()) return request;
  request.title = "adhoc";
  if (options.models.has()) request.matrices.push_back(options);
  return request;
}

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
