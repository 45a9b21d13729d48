#include "run/fronts/fronts.hpp"

#include "base/hex.hpp"
#include "base/json_file.hpp"
#include "base/mapped_file.hpp"
#include "base/resources.hpp"
#include "base/units.hpp"
#include "report/host/host_capture.hpp"
#include "report/host/machine_cache.hpp"
#include "report/host/privacy.hpp"
#include "run/packages/package_compiler.hpp"
#include "run/plan/machine.hpp"
#include "supervise/front_link.hpp"
#include "supervise/run_order.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <variant>

namespace mpsbench::run {

namespace {

using nlohmann::json;
using schema::CaseFacts;
using schema::FrontFacts;
using supervise::FrontLink;

// The SHA-256 of files by their paths, each read once.
using FileSums = std::map<std::string, std::string>;

const std::string& sum_of(const std::string& path, FileSums& sums) {
  std::string& sum = sums[path];
  if (sum.empty()) sum = base::sha256_hex(base::MappedFile(report::expand_home(path)).text());
  return sum;
}

// The options without what may differ between machines: places of files, and how a machine does the work.
// Its keys are such as "/measure/max_time_seconds".
json options_of(const schema::PlannedCase& planned) {
  json options = to_json(planned);
  for (const char* key : {"weights_path", "data_path", "vocabulary_path", "dump_first_step_path", "definition_sha256"})
    options.erase(key);
  for (const schema::SpecField& field : schema::kSpecFields) {
    if (field.traits.role == schema::SpecRole::own || field.traits.role == schema::SpecRole::files)
      options.at("spec").erase(field.key);
  }
  return options.flatten();
}

// Why the case cannot run on this machine, or nothing.
std::string why_unusable(const schema::RunRecord& record, const schema::PlannedCase& planned) {
  const std::vector<schema::Launch>& launches = supervise::launches_of(record, planned.id);
  if (launches.empty()) return "";
  const schema::Launch& launch = launches.front();
  return launch.status == schema::Status::unsupported && launch.failure ? launch.failure->message : "";
}

CaseFacts facts_of(const schema::RunRecord& record, const schema::PlannedCase& planned, FileSums& sums) {
  CaseFacts facts{.id = planned.id,
                  .model = planned.definition_sha256,
                  .data = planned.spec.data_files,
                  .options = options_of(planned),
                  .unusable = why_unusable(record, planned)};
  if (planned.weights_path) facts.weights = sum_of(*planned.weights_path, sums);
  if (row_of(planned.spec.engine).packaged) facts.processors = processors(record.host, planned.spec.device);
  return facts;
}

std::string name_of(const FrontFacts& front) {
  return "rank " + std::to_string(front.rank) + " (on " + front.host + ")";
}

constexpr const char* kSameOptions = "; start all ranks with the same options";

void require_same(const FrontFacts& front, const std::string& what, const std::string& own, const std::string& first,
                  const std::string& cure) {
  if (own != first)
    throw base::usage_error(name_of(front) + " has " + what + " " + own + ", but rank 0 has " + first + cure);
}

void require_same_program(const FrontFacts& first, const FrontFacts& front) {
  require_same(front, "a world size of", std::to_string(front.ranks), std::to_string(first.ranks),
               "; start all ranks with the same number of them");
  const std::string cure = "; install the same on all machines";
  require_same(front, "mpsbench", front.version, first.version, cure);
  require_same(front, "mpsbench of commit", front.commit, first.commit, cure);
  require_same(front, "LibTorch", front.libtorch, first.libtorch, cure);
}

// Refuses a case that cannot run on one of two fronts.
void require_usable(const FrontFacts& front, const CaseFacts& own, const CaseFacts& other) {
  if (own.unusable.empty() || !other.unusable.empty()) return;
  throw base::Error(base::ErrorKind::no_device, name_of(front) + " cannot run " + own.id + ": " + own.unusable);
}

// Options that are not part of the id. -r comes first, because --max-time is shared out among its launches.
void require_same_options(const CaseFacts& first, const FrontFacts& front, const CaseFacts& own) {
  std::vector<std::string> keys{"/repeats"};
  for (const CaseFacts* one : {&first, &own}) {
    for (const auto& [key, value] : one->options.items()) keys.push_back(key);
  }
  for (const std::string& key : keys) {
    const json here = own.options.value(key, json());
    const json there = first.options.value(key, json());
    if (here != there)
      throw base::usage_error(name_of(front) + " has " + key.substr(1) + " " + base::to_text(here) + " for " + own.id +
                              ", but rank 0 has " + base::to_text(there) + kSameOptions);
  }
}

void require_same_case(const FrontFacts& zero, const CaseFacts& first, const FrontFacts& front, const CaseFacts& own) {
  if (own.id != first.id)
    throw base::usage_error(name_of(front) + " plans the case " + own.id + ", but rank 0 plans " + first.id +
                            kSameOptions);
  require_usable(front, own, first);
  require_usable(zero, first, own);
  const auto require = [&](bool is_same, const char* words, const char* cure) {
    if (!is_same) throw base::usage_error(name_of(front) + " differs from rank 0 in " + words + first.id + "; " + cure);
  };
  constexpr const char* kSameFiles = "start all ranks with the same files";
  require(own.model == first.model, "the model file of ", kSameFiles);
  require(own.weights == first.weights, "the weights of ", kSameFiles);
  require(own.data == first.data, "the data set's files of ", kSameFiles);
  require(own.processors == first.processors, "the processor or GPU for the package of ",
          "use machines of one kind, or another --engine");
  require_same_options(first, front, own);
}

void require_same_plan(const FrontFacts& first, const FrontFacts& front) {
  if (front.cases.has_value() != first.cases.has_value())
    throw base::usage_error(name_of(front) + " has another plan than rank 0" + kSameOptions);
  const std::vector<CaseFacts> own = front.cases.value_or(std::vector<CaseFacts>());
  const std::vector<CaseFacts> zero = first.cases.value_or(std::vector<CaseFacts>());
  const std::size_t both = std::min(zero.size(), own.size());
  for (std::size_t i = 0; i < both; ++i) require_same_case(first, zero[i], front, own[i]);
  if (own.size() == zero.size()) return;
  const auto plans = [both](const std::vector<CaseFacts>& some, const std::vector<CaseFacts>& others) {
    const std::string count = " plans " + base::counted(some.size(), "case", "cases");
    return some.size() > both ? count : count + ", without " + others[both].id;
  };
  throw base::usage_error(name_of(front) + plans(own, zero) + ", but rank 0" + plans(zero, own) + kSameOptions);
}

void require_all_ranks(const std::vector<FrontFacts>& fronts, const schema::GroupPlace& place) {
  for (std::int64_t rank = 0; rank < place.ranks; ++rank) {
    const auto count = std::ranges::count(fronts, rank, &FrontFacts::rank);
    const std::string name = "rank " + std::to_string(rank);
    if (count > 1)
      throw base::usage_error(std::to_string(count) + " processes say that they are " + name +
                              "; is another run using port " + std::to_string(place.port) + "? Then set MASTER_PORT");
    if (count == 0)
      throw base::usage_error(name + " did not come to " + place.address + ":" + std::to_string(place.port) +
                              " within " + std::to_string(static_cast<std::int64_t>(place.timeout_seconds)) +
                              " s; check that all " + std::to_string(place.ranks) +
                              " ranks have started, MASTER_ADDR and MASTER_PORT");
  }
}

std::int64_t number_of(base::ExitCode code) {
  return static_cast<std::int64_t>(code);
}

// HOSTS has the names of other machines than rank 0's. Machines may have the same name, but the launcher says
// how many ranks each has.
schema::LauncherInfo launcher_of(const supervise::LauncherPlace& place,
                                 const std::map<std::int64_t, std::string>& hosts) {
  std::set<std::string> names;
  for (const auto& [rank, name] : hosts) names.insert(name);
  const std::int64_t least = (place.ranks + place.local_ranks - 1) / place.local_ranks;
  return {place.launcher, place.ranks, std::max<std::int64_t>(std::ssize(names) + 1, least)};
}

// Tells the others whether all agree, and throws if they do not.
supervise::LeadingFront admit(FrontLink& link, supervise::LauncherPlace place, const supervise::OwnDevice& own_device) {
  supervise::Interrupt interrupt;
  const schema::MetEvent met = link.meet(interrupt);
  place.prefix = met.prefix;
  const std::map<std::int64_t, std::string> hosts = other_hosts(met.fronts);
  supervise::LeadingFront leading(link, place, own_device, launcher_of(place, hosts), std::ssize(met.fronts) - 1,
                                  hosts);
  try {
    require_agreement(met.fronts, place);
    link.send(schema::Admission{});
    return leading;
  } catch (const base::Error& error) {
    const schema::Admission refusal{error.what(), number_of(base::exit_code(error.kind()))};
    link.send(refusal);
    leading.end(refusal.exit_code, interrupt);
    throw;
  }
}

base::ExitCode lead_run(FrontLink& link, const supervise::LauncherPlace& place, const supervise::OwnDevice& own_device,
                        const std::function<base::ExitCode(supervise::LeadingFront&)>& lead) {
  supervise::LeadingFront leading = admit(link, place, own_device);
  const base::ExitCode code = lead(leading);
  supervise::Interrupt interrupt;
  leading.end(number_of(code), interrupt);
  return code;
}

void require_admission(FrontLink& link, supervise::Interrupt& interrupt) {
  const auto news = link.wait(interrupt);
  if (!news) throw base::Error(base::ErrorKind::interrupted, "stopped before anything was measured");
  if (!news->message)
    throw base::usage_error("rank 0 was lost before anything was measured (" + news->loss +
                            "); see its own message, if it left one, and start all ranks again");
  const auto* admission = std::get_if<schema::Admission>(&*news->message);
  if (admission == nullptr || admission->refusal.empty()) return;
  link.send(schema::EndAnswer{admission->exit_code});
  const bool is_device = admission->exit_code == number_of(base::ExitCode::no_device);
  throw base::Error(is_device ? base::ErrorKind::no_device : base::ErrorKind::usage, admission->refusal);
}

}  // namespace

FrontFacts front_facts(std::int64_t ranks, const schema::RunRecord* record) {
  const schema::ToolInfo tool = schema::tool_info();
  FrontFacts facts{.host = machine_name(),
                   .host_in_reports = report::host_name(report::read_machine("/").cpu.model, report::state_folder()),
                   .ranks = ranks,
                   .version = tool.version,
                   .commit = commit_text(tool)};
  if (record == nullptr) return facts;
  FileSums sums;
  facts.cases.emplace();
  for (const schema::PlannedCase& planned : record->run.planned)
    facts.cases->push_back(facts_of(*record, planned, sums));
  return facts;
}

void require_agreement(const std::vector<FrontFacts>& fronts, const schema::GroupPlace& place) {
  for (const FrontFacts& front : fronts) require_same_program(fronts.front(), front);
  require_all_ranks(fronts, place);
  for (const FrontFacts& front : fronts) require_same_plan(fronts.front(), front);
}

// Machines that share a home folder may have the same name in reports.
std::map<std::int64_t, std::string> other_hosts(const std::vector<FrontFacts>& fronts) {
  std::map<std::string, std::string> names;  // in the report, by the machine's own name
  std::set<std::string> taken;
  std::map<std::int64_t, std::string> hosts;
  std::optional<std::string> own;  // rank 0's machine
  for (const FrontFacts& front : fronts) {
    if (!own) own = front.host;
    const auto [found, is_new] = names.try_emplace(front.host, front.host_in_reports);
    for (int number = 2; is_new && !taken.insert(found->second).second; ++number)
      found->second = front.host_in_reports + "-" + std::to_string(number);
    if (front.host != *own) hosts[front.rank] = found->second;
  }
  return hosts;
}

suite::LaunchedRanks launched_ranks(const supervise::LauncherPlace& place) {
  return {place.launcher, place.ranks, sharing_cores(place.local_ranks), place.local_rank, place.local_ranks};
}

base::ExitCode run_with_fronts(supervise::LauncherPlace place, schema::FrontFacts facts, double timeout_seconds,
                               const suite::DeviceList& devices,
                               const std::function<base::ExitCode(supervise::LeadingFront&)>& lead) {
  const std::filesystem::path worker = base::worker_program();
  schema::RendezvousRequest request;
  place.timeout_seconds = timeout_seconds;
  request.place = static_cast<const schema::GroupPlace&>(place);
  request.keeps_store = place.rank == 0 && !place.has_store;
  request.facts = std::move(facts);
  request.facts.rank = place.rank;
  const supervise::OwnDevice own_device = [&](schema::DeviceKind kind) {
    return suite::own_device(kind, devices, launched_ranks(place));
  };
  FrontLink link(worker, std::move(request));
  if (place.rank == 0) return lead_run(link, place, own_device, lead);
  supervise::Interrupt interrupt;
  (void)link.meet(interrupt);
  require_admission(link, interrupt);
  return static_cast<base::ExitCode>(supervise::follow_orders(link, worker, own_device, interrupt));
}

}  // namespace mpsbench::run
