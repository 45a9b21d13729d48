#include "base/resources.hpp"
#include "base/system_files.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/doctor_checks.hpp"
#include "cli/commands/output_file.hpp"
#include "output/text/text.hpp"
#include "report/host/host_capture.hpp"
#include "run/packages/package_compiler.hpp"
#include "run/plan/machine.hpp"
#include "schema/host.hpp"
#include "sensor/interconnect.hpp"
#include "supervise/launch_runner.hpp"
#include "supervise/launcher.hpp"

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

namespace mpsbench::cli {
namespace {

constexpr double kProbeSeconds = 60;  // somebody waits for the answer

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
  constexpr std::array<const char*, 4> kWords{"ok", "note", "warning", "problem"};  // in the order of the levels
  return kWords.at(static_cast<std::size_t>(level));
}

// Shows each cure below its finding.
std::string table(const Findings& findings) {
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

nlohmann::ordered_json entries_of(const Findings& findings) {
  nlohmann::ordered_json entries = nlohmann::ordered_json::array();
  for (const auto& [level, subject, message, cure] : findings)
    entries.push_back({{"level", word(level)}, {"subject", subject}, {"message", message}, {"cure", cure}});
  return entries;
}

base::ExitCode run_doctor(const OutputChoice& output) {
  if (!supervise::is_first_on_machine(::getenv)) return base::ExitCode::ok;
  const ChosenOutput chosen = chosen_output(output, printed_lists());
  const DoctorFacts facts = gather();
  const Findings findings = examine(facts);
  write_list(chosen, entries_of(findings), table(findings));
  return std::ranges::any_of(facts.devices, &schema::DeviceStatus::usable) ? base::ExitCode::ok
                                                                           : base::ExitCode::no_device;
}

}  // namespace

void add_doctor_command(CLI::App& app, Action& chosen) {
  const auto [command, output] = add_command(
      app, chosen, "doctor", "Check what this machine can measure and what would disturb a measurement", run_doctor);
  add_output_options(command, output, printed_lists());
}

}  // namespace mpsbench::cli
