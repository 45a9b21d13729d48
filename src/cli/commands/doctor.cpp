#include "base/cgroup.hpp"
#include "base/cpu_list.hpp"
#include "base/resources.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/device_entries.hpp"
#include "cli/commands/doctor_checks.hpp"
#include "cli/commands/output_file.hpp"
#include "output/text/text.hpp"
#include "report/host/host_capture.hpp"
#include "run/fronts/front_facts.hpp"
#include "run/packages/package_compiler.hpp"
#include "run/plan/accelerators.hpp"
#include "run/plan/default_threads.hpp"
#include "schema/host.hpp"
#include "sensor/interconnect.hpp"
#include "supervise/launch_runner.hpp"
#include "supervise/launcher.hpp"

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

namespace mpsbench::cli {
namespace {

constexpr double kProbeSeconds = 60;  // somebody waits for the answer

struct DoctorOptions {
  OutputChoice output;
};

void read_sensors(DoctorFacts& facts) {
  const sensor::Places places;
  sensor::Readings readings;
  for (const auto& source : sensor::machine_sources(places)) {
    source->read(readings);
    for (sensor::MissingSensor& one : source->missing()) facts.missing_sensors.push_back(std::move(one));
  }
  for (const auto& [name, value] : readings) facts.sensors.push_back(name);
  facts.gpus = sensor::gpus_in_use(places.nvml);
}

void read_launcher(DoctorFacts& facts) {
  try {
    const auto place = supervise::launcher_place(::getenv);
    if (!place) return;
    facts.local_ranks = place->local_ranks;
    facts.scaling.launcher =
        fmt::format("{}: rank {} of {}, on {}", place->launcher, place->rank, place->ranks, run::machine_name());
  } catch (const base::Error& error) {
    facts.scaling.launcher_error = error.what();
  }
}

ScalingFacts read_scaling() {
  const sensor::Places places;
  ScalingFacts facts;
  facts.interconnect = sensor::read_interconnect(places);
  facts.cpu_nodes = report::numa_nodes(places.root, base::allowed_cpus());
  facts.interfaces = sensor::network_interfaces();
  std::error_code error;
  const std::filesystem::space_info shared = std::filesystem::space(places.root / "dev/shm", error);
  if (!error) facts.shared_memory_bytes = static_cast<std::int64_t>(shared.capacity);
  const char* master = std::getenv("MASTER_ADDR");
  if (master != nullptr) facts.master = master;
  if (!facts.master.empty()) facts.network = sensor::read_network(places.root, facts.master);
  return facts;
}

// Asks PROBED's Python whether it can compile packages.
void check_packages(const supervise::ProbeOutcome& probed, DoctorFacts& facts) {
  try {
    (void)existing_cache();  // its folder must be safe
    const run::Compiler compiler = run::find_compiler(probed);
    supervise::Interrupt interrupt;
    run::check_compiler(compiler, interrupt);
    facts.compiler = compiler.python.string();
  } catch (const base::Error& error) {
    if (error.kind() == base::ErrorKind::interrupted) throw;
    facts.compiler_error = error.what();
  }
}

DoctorFacts gather() {
  DoctorFacts facts;
  read_sensors(facts);  // first, because the worker uses the devices
  facts.scaling = read_scaling();
  read_launcher(facts);
  facts.tool = schema::tool_info();
  facts.host = report::capture_host(std::nullopt, "results");
  facts.usable_cores = report::usable_cores();
  facts.threads = run::default_threads();
  facts.allowed_cpus = base::allowed_cpus().size();
  facts.cpu_quota = base::cpu_quota("/");
  const std::optional<std::int64_t> pauses = base::cpu_quota_pauses("/");
  facts.translated = report::is_translated();
  try {
    facts.package = base::worker_package();
    const std::filesystem::path worker = base::worker_program();
    if (facts.package) facts.programs = base::programs_of(*facts.package);
    supervise::ProbeOutcome probed = supervise::probe(worker, nullptr, kProbeSeconds, facts.threads);
    check_packages(probed, facts);
    facts.difference = run::build_difference(facts.tool, probed.tool);
    facts.devices = std::move(probed.devices);
    describe_cpu(facts.devices, facts.host);
    facts.host.libtorch = std::move(probed.libtorch);
    facts.working = std::move(probed.threads);
  } catch (const base::Error& error) {
    if (error.kind() == base::ErrorKind::interrupted) throw;
    facts.worker_error = error.what();
  }
  facts.quota_pauses = base::cpu_quota_pauses("/").value_or(0) - pauses.value_or(0);
  return facts;
}

const char* word(Finding::Level level) {
  switch (level) {
    case Finding::Level::good:
      return "ok";
    case Finding::Level::note:
      return "note";
    case Finding::Level::warning:
      return "warning";
    case Finding::Level::problem:
      return "problem";
  }
  return "problem";
}

std::string table(const std::vector<Finding>& findings) {
  std::size_t widest = 0;
  for (const Finding& finding : findings) widest = std::max(widest, output::display_width(finding.subject));
  std::string text;
  for (const Finding& finding : findings) {
    text += output::pad_right(word(finding.level), 9) + output::pad_right(finding.subject, widest + 2) +
            output::printable(finding.message) + "\n";
    if (!finding.cure.empty()) text += std::string(widest + 11, ' ') + "cure: " + finding.cure + "\n";
  }
  return text;
}

nlohmann::ordered_json entries_of(const std::vector<Finding>& findings) {
  nlohmann::ordered_json entries = nlohmann::ordered_json::array();
  for (const Finding& finding : findings) {
    entries.push_back({{"level", word(finding.level)},
                       {"subject", finding.subject},
                       {"message", finding.message},
                       {"cure", finding.cure}});
  }
  return entries;
}

Printed printed_findings() {
  return {output::formats_with(&output::ExportFormat::list)};
}

base::ExitCode run_doctor(const DoctorOptions& options) {
  if (!supervise::is_first_on_machine(::getenv)) return base::ExitCode::ok;
  const ChosenOutput chosen = chosen_output(options.output, printed_findings());
  const DoctorFacts facts = gather();
  const std::vector<Finding> findings = examine(facts);
  const bool is_table = chosen.format->name == "table";  // shows each cure below its finding
  write_output(chosen.file, is_table ? table(findings) : chosen.format->list(entries_of(findings)));
  const bool usable = std::any_of(facts.devices.begin(), facts.devices.end(),
                                  [](const schema::DeviceStatus& device) { return device.usable; });
  return usable ? base::ExitCode::ok : base::ExitCode::no_device;
}

}  // namespace

void add_doctor_command(CLI::App& app, Action& chosen) {
  CLI::App* command =
      app.add_subcommand("doctor", "Check what this machine can measure and what would disturb a measurement");
  const auto options = std::make_shared<DoctorOptions>();
  add_output_options(*command, options->output, printed_findings());
  command->callback([&chosen, options] { chosen = [options] { return run_doctor(*options); }; });
}

}  // namespace mpsbench::cli
