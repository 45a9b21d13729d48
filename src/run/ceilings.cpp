#include "run/ceilings.hpp"

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/json_file.hpp"
#include "base/log.hpp"
#include "base/resources.hpp"
#include "report/metrics/ceiling_cache.hpp"
#include "report/metrics/ceilings.hpp"
#include "supervise/launch_runner.hpp"
#include "supervise/program_output.hpp"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace mpsbench::run {
namespace {

using schema::Ceiling;

// Long enough for a slow CPU; a GPU takes some seconds.
constexpr supervise::WorkerLimits kLimits{.timeout_seconds = 300};

// A ceiling, and the precisions in which the cases need it.
struct NeededCeilings {
  schema::DeviceId device;
  std::optional<std::int64_t> threads;
  std::set<std::string> precisions;
};

std::string words(const std::set<std::string>& items, const char* between) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : between) + item;
  return text;
}

bool is_unsupported(const schema::RunRecord& record, const std::string& id) {
  const auto found = record.launches.find(id);
  return found != record.launches.end() && !found->second.empty() &&
         found->second.front().status == schema::Status::unsupported;
}

std::vector<NeededCeilings> wanted_ceilings(const schema::RunRecord& record) {
  std::map<std::pair<schema::DeviceId, std::optional<std::int64_t>>, std::set<std::string>> found;
  for (const schema::PlannedCase& planned : record.run.planned) {
    if (!is_unsupported(record, planned.id) && planned.spec.mode != schema::Mode::data &&
        report::can_have_ceiling(planned.spec))
      found[{planned.spec.device, report::ceiling_threads(planned.spec)}].insert(
          to_string(planned.spec.precision));
  }
  std::vector<NeededCeilings> wanted;
  for (const auto& [place, precisions] : found) wanted.push_back({place.first, place.second, precisions});
  return wanted;
}

std::set<std::string> without_known(const std::set<std::string>& precisions,
                                    const std::optional<Ceiling>& known) {
  std::set<std::string> left;
  for (const std::string& precision : precisions) {
    if (!known || !known->matmul_flops_per_second.contains(precision)) left.insert(precision);
  }
  return left;
}

// Measures the matrix products in PRECISIONS, and the memory.
Ceiling measure(const NeededCeilings& wanted, const std::set<std::string>& precisions,
                supervise::Interrupt& interrupt) {
  const std::string device = to_string(wanted.device);
  std::vector<std::string> arguments{
      "--device",
      device,
      "--front-pid",
      std::to_string(::getpid()),
      "--benchmark_filter=^(matmul/" + device + "/(" + words(precisions, "|") + ")|add/" + device + ")/",
      "--benchmark_repetitions=3",
      "--benchmark_out=/dev/fd/3",
      "--benchmark_out_format=json"};
  if (wanted.threads) arguments.insert(arguments.end(), {"--threads", std::to_string(*wanted.threads)});
  const std::filesystem::path program = base::ops_program();
  const nlohmann::json document = base::parse_json(
      supervise::program_output(program, arguments, kLimits, interrupt), "output of " + program.string());
  Ceiling ceiling = report::read_ops_ceiling(base::Reader(document, program.string()), wanted.device);
  for (const std::string& precision : precisions)
    ceiling.matmul_flops_per_second.try_emplace(precision);  // null: has no ceiling
  ceiling.threads = wanted.threads;
  ceiling.measured_at = base::utc_timestamp();
  return ceiling;
}

// Returns the saved ceiling. Measures what it lacks and saves that, too.
Ceiling complete(const NeededCeilings& wanted, const nlohmann::json& key, supervise::Interrupt& interrupt) {
  const report::CeilingCache cache(report::cache_folder());
  const std::optional<Ceiling> known = cache.find(key);
  const std::set<std::string> missing = without_known(wanted.precisions, known);
  if (missing.empty()) return known.value();
  base::log::info("measuring the ceilings of " + to_string(wanted.device) + ": " + words(missing, ", ") +
                  " and memory");
  Ceiling ceiling = measure(wanted, missing, interrupt);
  if (known) {
    ceiling.matmul_flops_per_second.insert(known->matmul_flops_per_second.begin(),
                                           known->matmul_flops_per_second.end());
  }
  cache.keep(key, ceiling);
  return ceiling;
}

bool has_ceiling(const schema::RunRecord& record, const NeededCeilings& wanted) {
  return std::any_of(record.host.ceilings.begin(), record.host.ceilings.end(), [&](const Ceiling& one) {
    return one.device == wanted.device && one.threads == wanted.threads;
  });
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

}  // namespace

void measure_ceilings(schema::RunRecord& record) {
  (void)base::ops_program();
  supervise::Interrupt interrupt;
  std::string libtorch;
  or_warn("no case has a ceiling",
          [&] { libtorch = supervise::probe(base::worker_program(), &interrupt).libtorch.version; });
  if (libtorch.empty()) return;
  for (const NeededCeilings& wanted : wanted_ceilings(record)) {
    or_warn("cases on " + to_string(wanted.device) + " have no ceiling", [&] {
      const nlohmann::json key = report::ceiling_key(record.host, libtorch, wanted.device, wanted.threads);
      record.host.ceilings.push_back(complete(wanted, key, interrupt));
    });
  }
}

void recall_ceilings(schema::RunRecord& record, const std::string& libtorch_version) {
  const report::CeilingCache cache(report::cache_folder());
  for (const NeededCeilings& wanted : wanted_ceilings(record)) {
    if (has_ceiling(record, wanted)) continue;
    const auto known =
        cache.find(report::ceiling_key(record.host, libtorch_version, wanted.device, wanted.threads));
    if (known) record.host.ceilings.push_back(*known);
  }
}

}  // namespace mpsbench::run
