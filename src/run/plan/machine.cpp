#include "run/plan/machine.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/resources.hpp"
#include "base/system_files.hpp"
#include "base/units.hpp"
#include "report/host/host_capture.hpp"
#include "supervise/interrupt.hpp"
#include "supervise/launch_runner.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <regex>
#include <utility>

namespace mpsbench::run {

namespace {

// Returns all values of Enum. Those that every device supports are usable; the others have REASON, because
// the worker did not report them.
template <schema::Closed Enum>
std::vector<schema::Offer<Enum>> offers_everywhere(const std::string& reason) {
  std::vector<schema::Offer<Enum>> offers;
  for (const auto& row : schema::ClosedSet<Enum>::kRows) offers.push_back({row.value, row.everywhere ? "" : reason});
  return offers;
}

// Returns the device list to use if the worker does not report its devices. The CPU is always there, and its
// launches will show what is wrong with the worker.
std::vector<schema::DeviceStatus> only_the_cpu(const std::string& reason) {
  std::vector<schema::DeviceStatus> devices;
  for (const schema::DeviceKindRow& row : schema::ClosedSet<schema::DeviceKind>::kRows) {
    devices.push_back({.device = schema::DeviceId(row.value), .name = std::string(row.help)});
    devices.back().built_in = devices.back().usable = row.is_host;
    if (!devices.back().usable) devices.back().reason = reason;
    devices.back().precisions = offers_everywhere<schema::Precision>(reason);
    devices.back().engines = offers_everywhere<schema::Engine>(reason);
  }
  return devices;
}

std::vector<schema::DeviceStatus> ask(std::optional<std::string>& libtorch_version) {
  supervise::Interrupt interrupt;
  supervise::ProbeOutcome outcome;
  try {
    outcome = supervise::probe(base::worker_program(), &interrupt);
  } catch (const base::Error& error) {
    if (error.kind() == base::ErrorKind::interrupted) throw;
    return only_the_cpu(error.what());
  }
  require_own_build(outcome.tool);
  libtorch_version = outcome.libtorch.version;
  return std::move(outcome.devices);
}

constexpr std::int64_t kMostThreads = 4096;

std::string_view trimmed(std::string_view text) {
  constexpr const char* kBlank = " \t";
  const std::size_t begin = std::min(text.find_first_not_of(kBlank), text.size());
  return text.substr(begin, text.find_last_not_of(kBlank) + 1 - begin);
}

// What the OpenMP libraries take. They ignore other values.
struct TakenValues {
  const char* name;
  const char* pattern;
  const char* words;
};
constexpr TakenValues kTaken[] = {{"OMP_THREAD_LIMIT", "0*[1-9][0-9]*", "no whole number from 1"},
                                  {"OMP_MAX_ACTIVE_LEVELS", "[0-9]+", "no whole number"},
                                  {"OMP_DYNAMIC", "true|false|yes|no|on|off|1|0", "neither true nor false"},
                                  {"OMP_PROC_BIND", "(true|false|master|primary|close|spread)(\\s*,.*)?",
                                   "none of true, false, close, spread and primary"},
                                  {"OMP_WAIT_POLICY", "active|passive", "neither active nor passive"},
                                  {"OMP_STACKSIZE", "[0-9]+\\s*[bkmgt]?", "no size such as 4M"}};

// Adds those of kTaken in ENVIRONMENT that have no such value to TEXTS.
void add_not_taken(const std::map<std::string, std::string>& environment, std::vector<std::string>& texts) {
  for (const TakenValues& one : kTaken) {
    const auto found = environment.find(one.name);
    if (found == environment.end()) continue;
    const std::string& value = found->second;
    if (!std::regex_match(std::string(trimmed(value)), std::regex(one.pattern, std::regex::icase)))
      texts.push_back(found->first + "=" + base::excerpt(value) + " is ignored, because it is " + one.words +
                      "; correct it, or unset it");
  }
}

std::optional<std::int64_t> own_threads() {
  const char* text = std::getenv("OMP_NUM_THREADS");
  return threads_of(text == nullptr ? "" : text);
}

}  // namespace

std::string machine_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "an unknown machine";
}

suite::DeviceList Accelerators::list() {
  return [this]() -> const std::vector<schema::DeviceStatus>& {
    if (!devices_) devices_ = ask(libtorch_version_);
    return devices_.value();
  };
}

std::vector<schema::Accelerator> Accelerators::known() const {
  std::vector<schema::Accelerator> found;
  if (!devices_) return found;
  for (const schema::DeviceStatus& status : *devices_) {
    if (status.usable && !status.device.row().is_host)
      found.push_back({status.device, status.name, status.memory_bytes});
  }
  return found;
}

std::vector<std::string> Accelerators::passed_over(const std::vector<schema::PlannedCase>& plan) const {
  std::vector<std::string> reasons;
  if (!devices_) return reasons;
  for (const schema::DeviceStatus& status : *devices_) {
    const bool is_planned =
        std::ranges::any_of(plan, [&](const auto& planned) { return planned.spec.device == status.device; });
    if (status.built_in && !status.usable && !is_planned) reasons.push_back(status.reason);
  }
  return reasons;
}

std::optional<BuildDifference> build_difference(const schema::ToolInfo& front,
                                                const std::optional<schema::ToolInfo>& worker) {
  if (!worker || worker->version != front.version) {
    return BuildDifference{
        true,
        "this is mpsbench " + front.version + ", but its worker is " +
            (worker ? worker->version : "of an older version"),
        "install the same version (pip install mpsbench==" + front.version + ") or build both from one checkout"};
  }
  const std::string commit = commit_text(front);
  const std::string other = commit_text(*worker);
  if (commit == other || commit.empty() || other.empty()) return std::nullopt;
  return BuildDifference{false,
                         "this program is of commit " + commit + ", but its worker is of commit " + other +
                             "; reports name only the first",
                         "build or install both from one commit"};
}

void require_own_build(const std::optional<schema::ToolInfo>& worker) {
  const std::optional<BuildDifference> difference = build_difference(schema::tool_info(), worker);
  if (!difference) return;
  const std::string text = difference->message + "; " + difference->cure;
  if (difference->is_refused) throw base::usage_error(text);
  base::log::warn(text);
}

std::optional<std::int64_t> threads_of(std::string_view omp_num_threads) {
  std::optional<std::int64_t> first;
  for (const std::string& part : base::split_list(omp_num_threads).value_or(std::vector<std::string>{})) {
    const auto number = base::parse_whole_number(trimmed(part));
    if (!number || *number < 1 || *number > kMostThreads) return std::nullopt;
    first = first.value_or(*number);
  }
  return first;
}

std::vector<std::string> ignored_thread_variables(const std::map<std::string, std::string>& environment,
                                                  std::int64_t default_threads) {
  std::vector<std::string> texts;
  const auto value_of = [&](const char* name) {
    const auto found = environment.find(name);
    return found == environment.end() ? std::string() : found->second;
  };
  const std::string omp = value_of("OMP_NUM_THREADS");
  const std::optional<std::int64_t> threads = threads_of(omp);
  if (!omp.empty() && !threads) {
    texts.push_back("OMP_NUM_THREADS=" + base::excerpt(omp) + " is ignored, because it is no whole number from 1 to " +
                    std::to_string(kMostThreads) + "; set it to one, or use --threads");
  } else if (threads && omp.find(',') != omp.npos) {
    const std::string first = std::to_string(*threads);
    texts.push_back("of OMP_NUM_THREADS=" + base::excerpt(omp) + " only " + first +
                    " counts, because LibTorch starts no threads inside threads; set it to " + first);
  }
  if (const std::string mkl = value_of("MKL_NUM_THREADS"); !mkl.empty() && threads_of(mkl) != default_threads)
    texts.push_back("MKL_NUM_THREADS=" + base::excerpt(mkl) +
                    " is ignored, because --threads or OMP_NUM_THREADS sets the threads of all libraries; use one "
                    "of them");
  add_not_taken(environment, texts);
  return texts;
}

std::int64_t default_threads() {
  const std::optional<std::int64_t> own = own_threads();
  return own ? *own : report::usable_cores();
}

std::int64_t sharing_cores(std::int64_t local_ranks) {
  const std::vector<int> allowed = base::allowed_cpus();  // empty: not known
  const bool is_bound = !allowed.empty() && std::ssize(allowed) < ::sysconf(_SC_NPROCESSORS_ONLN);
  return is_bound || own_threads() ? 1 : local_ranks;
}

suite::Cpus usable_cpus() {
  return {base::allowed_cpus(), [](const std::vector<int>& cpus) { return report::usable_cores(cpus); }};
}

}  // namespace mpsbench::run
