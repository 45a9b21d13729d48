#include "run/fronts/front_facts.hpp"

#include "base/hex.hpp"
#include "base/json_file.hpp"
#include "base/json_reader.hpp"
#include "base/mapped_file.hpp"
#include "base/units.hpp"
#include "report/host/host_capture.hpp"
#include "report/host/privacy.hpp"
#include "run/packages/package_key.hpp"
#include "schema/host.hpp"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace mpsbench::run {

namespace {

using nlohmann::json;

// What a front says of a case. The options are all keys of the planned case that must agree, such as
// "/measure/max_time_seconds".
struct CaseFacts {
  std::string id;
  std::string model;
  std::optional<std::string> weights;
  std::map<std::string, std::string> data;
  json processors;  // null: the engine runs no package
  json options;
  std::string unusable;  // why it cannot run here
};

constexpr schema::Field<CaseFacts, std::string, std::optional<std::string>, std::map<std::string, std::string>, json>
    kCaseFactsFields[] = {
        {"id", &CaseFacts::id},
        {"model", &CaseFacts::model},
        {"weights", &CaseFacts::weights},
        {"data", &CaseFacts::data},
        {"processors", &CaseFacts::processors},
        {"options", &CaseFacts::options},
        {"unusable", &CaseFacts::unusable},
};
using CaseFactsJson = schema::ObjectJson<CaseFacts, kCaseFactsFields>;

// Returns the SHA-256 of files, each read once.
class FileSums {
 public:
  const std::string& of(const std::string& path) {
    auto known = sums_.find(path);
    if (known == sums_.end()) {
      const base::MappedFile file(report::expand_home(path));
      known = sums_.emplace(path, base::sha256_hex(file.text())).first;
    }
    return known->second;
  }

 private:
  std::map<std::string, std::string> sums_;
};

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
  const auto launches = record.launches.find(planned.id);
  if (launches == record.launches.end() || launches->second.empty()) return "";
  const schema::Launch& launch = launches->second.front();
  return launch.status == schema::Status::unsupported && launch.failure ? launch.failure->message : "";
}

CaseFacts facts_of(const schema::RunRecord& record, const schema::PlannedCase& planned, FileSums& sums) {
  CaseFacts facts{.id = planned.id,
                  .model = planned.definition_sha256,
                  .weights = {},
                  .data = planned.spec.data_files,
                  .processors = nullptr,
                  .options = options_of(planned),
                  .unusable = why_unusable(record, planned)};
  if (planned.weights_path) facts.weights = sums.of(*planned.weights_path);
  if (row_of(planned.spec.engine).packaged) facts.processors = processors(record.host, planned.spec.device);
  return facts;
}

using schema::FrontFacts;

std::string name_of(const FrontFacts& front) {
  return "rank " + std::to_string(front.rank) + " (on " + front.host + ")";
}

base::Error other(const FrontFacts& front, const std::string& what, const std::string& own, const std::string& first,
                  const std::string& cure) {
  return base::usage_error(name_of(front) + " has " + what + " " + own + ", but rank 0 has " + first + "; " + cure);
}

std::optional<base::Error> other_program(const FrontFacts& first, const FrontFacts& front) {
  if (front.ranks != first.ranks)
    return other(front, "a world size of", std::to_string(front.ranks), std::to_string(first.ranks),
                 "start all ranks with the same number of them");
  const std::string cure = "install the same on all machines";
  if (front.version != first.version) return other(front, "mpsbench", front.version, first.version, cure);
  if (front.commit != first.commit) return other(front, "mpsbench of commit", front.commit, first.commit, cure);
  if (front.libtorch != first.libtorch) return other(front, "LibTorch", front.libtorch, first.libtorch, cure);
  return std::nullopt;
}

// A case that cannot run on one of the two.
std::optional<base::Error> unusable_case(const FrontFacts& front, const CaseFacts& own) {
  if (own.unusable.empty()) return std::nullopt;
  return base::Error(base::ErrorKind::no_device, name_of(front) + " cannot run " + own.id + ": " + own.unusable);
}

// A part of the case whose files or machines differ.
std::optional<base::Error> other_part(const FrontFacts& front, const CaseFacts& first, const CaseFacts& own) {
  const auto differs = [&](const std::string& words, const char* cure = "start all ranks with the same files") {
    return base::usage_error(name_of(front) + " differs from rank 0 in " + words + " of " + first.id + "; " + cure);
  };
  if (own.model != first.model) return differs("the model file");
  if (own.weights != first.weights) return differs("the weights");
  if (own.data != first.data) return differs("the data set's files");
  if (own.processors != first.processors)
    return differs("the processor or GPU for the package", "use machines of one kind, or another --engine");
  return std::nullopt;
}

// An option that is not part of the id. -r comes first, because --max-time is shared out among its launches.
std::optional<base::Error> other_option(const json& first, const FrontFacts& front, const json& own,
                                        const std::string& id) {
  std::vector<std::string> keys{"/repeats"};
  for (const json* one : {&first, &own}) {
    for (const auto& [key, value] : one->items()) keys.push_back(key);
  }
  for (const std::string& key : keys) {
    const json here = own.value(key, json());
    const json there = first.value(key, json());
    if (here != there)
      return other(front, key.substr(1), base::to_text(here) + " for " + id, base::to_text(there),
                   "start all ranks with the same options");
  }
  return std::nullopt;
}

std::optional<base::Error> other_case(const FrontFacts& zero, const CaseFacts& first, const FrontFacts& front,
                                      const CaseFacts& own) {
  if (own.id != first.id)
    return base::usage_error(name_of(front) + " plans the case " + own.id + ", but rank 0 plans " + first.id +
                             "; start all ranks with the same options");
  const auto here = unusable_case(front, own);
  const auto there = unusable_case(zero, first);
  if (here.has_value() != there.has_value()) return here ? here : there;
  if (auto error = other_part(front, first, own)) return error;
  return other_option(first.options, front, own.options, first.id);
}

std::vector<CaseFacts> cases_of(const FrontFacts& front) {
  const base::Reader reader(front.cases, name_of(front), "$.cases");
  std::vector<CaseFacts> cases;
  for (const base::Reader& item : reader.items()) cases.push_back(CaseFactsJson::read(item));
  return cases;
}

std::optional<base::Error> other_plan(const FrontFacts& first, const FrontFacts& front) {
  if (front.cases.is_null() != first.cases.is_null())
    return base::usage_error(name_of(front) + " has another plan than rank 0; start all ranks with the same options");
  if (first.cases.is_null()) return std::nullopt;
  const std::vector<CaseFacts> own = cases_of(front);
  const std::vector<CaseFacts> cases = cases_of(first);
  const std::size_t both = std::min(cases.size(), own.size());
  for (std::size_t i = 0; i < both; ++i) {
    if (auto error = other_case(first, cases[i], front, own[i])) return error;
  }
  if (own.size() == cases.size()) return std::nullopt;
  const auto plans = [both](const std::vector<CaseFacts>& some, const std::vector<CaseFacts>& others) {
    const std::string count = " plans " + base::counted(some.size(), "case", "cases");
    return some.size() > both ? count : count + ", without " + others[both].id;
  };
  return base::usage_error(name_of(front) + plans(own, cases) + ", but rank 0" + plans(cases, own) +
                           "; start all ranks with the same options");
}

std::optional<base::Error> missing_rank(const std::vector<FrontFacts>& fronts, const schema::GroupPlace& place) {
  for (std::int64_t rank = 0; rank < place.ranks; ++rank) {
    const auto count = std::ranges::count(fronts, rank, &FrontFacts::rank);
    const std::string name = "rank " + std::to_string(rank);
    if (count > 1)
      return base::usage_error(std::to_string(count) + " processes say that they are " + name +
                               "; is another run using port " + std::to_string(place.port) + "? Then set MASTER_PORT");
    if (count == 0)
      return base::usage_error(name + " did not come to " + place.address + ":" + std::to_string(place.port) +
                               " within " + std::to_string(static_cast<std::int64_t>(place.timeout_seconds)) +
                               " s; check that all " + std::to_string(place.ranks) +
                               " ranks have started, MASTER_ADDR and MASTER_PORT");
  }
  return std::nullopt;
}

}  // namespace

std::string machine_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "an unknown machine";
}

schema::FrontFacts front_facts(std::int64_t ranks, const schema::RunRecord* record) {
  const schema::ToolInfo tool = schema::tool_info();
  FrontFacts facts{.host = machine_name(),
                   .host_in_reports = report::host_name(report::read_machine("/").cpu.model, report::state_folder()),
                   .ranks = ranks,
                   .version = tool.version,
                   .commit = commit_text(tool)};
  if (record == nullptr) return facts;
  FileSums sums;
  facts.cases = json::array();
  for (const schema::PlannedCase& planned : record->run.planned)
    facts.cases.push_back(json(CaseFactsJson::write(facts_of(*record, planned, sums))));
  return facts;
}

std::optional<base::Error> disagreement(const std::vector<schema::FrontFacts>& fronts,
                                        const schema::GroupPlace& place) {
  for (const FrontFacts& front : fronts) {
    if (auto error = other_program(fronts.front(), front)) return error;
  }
  if (auto error = missing_rank(fronts, place)) return error;
  for (const FrontFacts& front : fronts) {
    if (auto error = other_plan(fronts.front(), front)) return error;
  }
  return std::nullopt;
}

// Machines that share a home folder may have the same name in reports.
std::map<std::int64_t, std::string> other_hosts(const std::vector<schema::FrontFacts>& fronts) {
  std::map<std::string, std::string> names;  // in the report, by the machine's own name
  std::set<std::string> taken;
  std::map<std::int64_t, std::string> hosts;
  std::optional<std::string> own;  // rank 0's machine
  for (const schema::FrontFacts& front : fronts) {
    if (!own) own = front.host;
    const auto [found, is_new] = names.try_emplace(front.host, front.host_in_reports);
    for (int number = 2; is_new && !taken.insert(found->second).second; ++number)
      found->second = front.host_in_reports + "-" + std::to_string(number);
    if (front.host != *own) hosts[front.rank] = found->second;
  }
  return hosts;
}

}  // namespace mpsbench::run
