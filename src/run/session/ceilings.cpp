#include "run/session/ceilings.hpp"

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/json_file.hpp"
#include "base/log.hpp"
#include "base/resources.hpp"
#include "report/metrics/ceilings.hpp"
#include "supervise/launch_runner.hpp"
#include "supervise/program_end.hpp"
#include "supervise/run_order.hpp"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <utility>

namespace mpsbench::run {

namespace {

using schema::Ceiling;

// Long enough for a slow CPU; a GPU takes some seconds.
constexpr supervise::WorkerLimits kLimits{.timeout_seconds = 300};

// What the cases need of the ceiling of a device.
struct Needs {
  schema::DeviceId device;
  std::optional<std::int64_t> threads;
  std::set<schema::Precision> precisions;  // of matrix products
  std::set<std::int64_t> ranks;            // numbers of devices between which gradients are averaged

  [[nodiscard]] bool empty() const { return precisions.empty() && ranks.empty(); }
};

std::string words(const std::set<schema::Precision>& items, const char* between) {
  std::string text;
  for (const schema::Precision item : items) text += (text.empty() ? "" : between) + to_string(item);
  return text;
}

std::vector<Needs> wanted_ceilings(const schema::RunRecord& record) {
  std::map<std::pair<schema::DeviceId, std::optional<std::int64_t>>, Needs> found;
  const bool on_several_machines = record.run.launcher && record.run.launcher->hosts > 1;
  for (const schema::PlannedCase& planned : record.run.planned) {
    const std::vector<schema::Launch>& launches = supervise::launches_of(record, planned.id);
    const bool is_unsupported = !launches.empty() && launches.front().status == schema::Status::unsupported;
    if (is_unsupported || !row_of(planned.spec.mode).has_network || !report::can_have_ceiling(planned.spec)) continue;
    Needs& needs = found[{planned.spec.device, report::ceiling_threads(planned.spec)}];
    needs.device = planned.spec.device;
    needs.threads = report::ceiling_threads(planned.spec);
    needs.precisions.insert(row_of(planned.spec.precision).kernels);
    if (report::can_have_bus_ceiling(planned.spec) && !on_several_machines) needs.ranks.insert(planned.spec.ranks);
  }
  const auto wanted = std::views::values(found);
  return {wanted.begin(), wanted.end()};
}

Needs without_known(Needs needs, const std::optional<Ceiling>& known) {
  if (!known) return needs;
  std::erase_if(needs.precisions, [&](schema::Precision one) { return known->matmul_flops_per_second.contains(one); });
  std::erase_if(needs.ranks, [&](std::int64_t one) { return known->bus_bytes_per_second.contains(one); });
  return needs;
}

Ceiling measure_operations(const Needs& wanted, const std::string& devices, const std::string& filter,
                           supervise::Interrupt& interrupt) {
  std::vector<std::string> arguments{"--device",
                                     devices,
                                     "--front-pid",
                                     std::to_string(::getpid()),
                                     "--benchmark_filter=" + filter,
                                     "--benchmark_repetitions=3",
                                     "--benchmark_out=/dev/fd/3",
                                     "--benchmark_out_format=json"};
  if (wanted.threads) arguments.insert(arguments.end(), {"--threads", std::to_string(*wanted.threads)});
  const std::filesystem::path program = base::ops_program();
  const nlohmann::json document = base::parse_json(supervise::program_output(program, arguments, kLimits, interrupt),
                                                   "output of " + program.string());
  return report::read_ops_ceiling(base::Reader(document, program.string()), wanted.device);
}

// "cuda:0,cuda:1"
std::string first_devices(schema::DeviceKind kind, std::int64_t count) {
  std::string names;
  for (std::int64_t i = 0; i < count; ++i) names += (i == 0 ? "" : ",") + to_string(kind) + ":" + std::to_string(i);
  return names;
}

// Adds matrix products in PRECISIONS, and the memory, to CEILING.
void add_products(const Needs& wanted, const std::set<schema::Precision>& precisions, Ceiling& ceiling,
                  supervise::Interrupt& interrupt) {
  const std::string device = to_string(wanted.device);
  const std::string filter = "^(matmul/" + device + "/(" + words(precisions, "|") + ")|add/" + device + ")/";
  const Ceiling found = measure_operations(wanted, device, filter, interrupt);
  for (const schema::Precision precision : precisions)
    ceiling.matmul_flops_per_second[precision] = std::nullopt;  // stays if it has none
  for (const auto& [precision, rate] : found.matmul_flops_per_second) ceiling.matmul_flops_per_second[precision] = rate;
  ceiling.bytes_per_second = found.bytes_per_second;
}

// Adds all-reduce between as many devices as there are RANKS to CEILING.
void add_all_reduce(const Needs& wanted, std::int64_t ranks, Ceiling& ceiling, supervise::Interrupt& interrupt) {
  const schema::DeviceKind kind = wanted.device.kind;
  const std::string filter = "^all_reduce/" + to_string(kind) + "/x" + std::to_string(ranks) + "/";
  const Ceiling found = measure_operations(wanted, first_devices(kind, ranks), filter, interrupt);
  const auto rate = found.bus_bytes_per_second.find(ranks);
  ceiling.bus_bytes_per_second[ranks] = rate == found.bus_bytes_per_second.end() ? std::nullopt : rate->second;
}

std::string told(const Needs& needs) {
  std::string text = words(needs.precisions, ", ");
  if (!text.empty()) text += " and memory";
  for (const std::int64_t ranks : needs.ranks)
    text += (text.empty() ? "" : ", ") + ("all-reduce between " + std::to_string(ranks)) + " devices";
  return text;
}

// Runs ACTION. Turns an error, except an interrupt, into a warning that says what is LACKING because of it.
template <typename Action>
void or_warn(const std::string& lacking, Action action) {
  try {
    action();
  } catch (const base::Error& error) {
    if (error.kind() == base::ErrorKind::interrupted) throw;
    base::log::warn("--ceilings: " + std::string(error.what()) + "; " + lacking);
  }
}

// Returns the saved ceiling. Measures what it lacks and saves that, too.
Ceiling complete(const Needs& wanted, const nlohmann::json& key, supervise::Interrupt& interrupt) {
  const report::CeilingCache cache(report::cache_folder());
  const std::optional<Ceiling> known = cache.find(key);
  const Needs missing = without_known(wanted, known);
  if (missing.empty()) return known.value();
  base::log::info("measuring the ceilings of " + to_string(wanted.device) + ": " + told(missing));
  Ceiling ceiling = known.value_or(Ceiling{});
  ceiling.device = wanted.device;
  ceiling.threads = wanted.threads;
  if (!missing.precisions.empty()) add_products(wanted, missing.precisions, ceiling, interrupt);
  for (const std::int64_t ranks : missing.ranks)
    or_warn("averages of gradients on " + std::to_string(ranks) + " devices have no ceiling",
            [&] { add_all_reduce(wanted, ranks, ceiling, interrupt); });
  ceiling.measured_at = base::utc_timestamp();
  cache.keep(key, ceiling);
  return ceiling;
}

}  // namespace

void measure_ceilings(schema::RunRecord& record) {
  (void)base::ops_program();
  supervise::Interrupt interrupt;
  std::string libtorch;
  or_warn("no case has a ceiling",
          [&] { libtorch = supervise::probe(base::worker_program(), &interrupt).libtorch.version; });
  if (libtorch.empty()) return;
  for (const Needs& wanted : wanted_ceilings(record)) {
    or_warn("cases on " + to_string(wanted.device) + " have no ceiling", [&] {
      const nlohmann::json key = report::ceiling_key(record.host, libtorch, wanted.device, wanted.threads);
      record.host.ceilings.push_back(complete(wanted, key, interrupt));
    });
  }
}

void recall_ceilings(schema::RunRecord& record, const std::string& libtorch_version) {
  const report::CeilingCache cache(report::cache_folder());
  for (const Needs& wanted : wanted_ceilings(record)) {
    const bool is_there = std::ranges::any_of(record.host.ceilings, [&](const Ceiling& one) {
      return one.device == wanted.device && one.threads == wanted.threads;
    });
    if (is_there) continue;
    const auto known = cache.find(report::ceiling_key(record.host, libtorch_version, wanted.device, wanted.threads));
    if (known) record.host.ceilings.push_back(*known);
  }
}

}  // namespace mpsbench::run
