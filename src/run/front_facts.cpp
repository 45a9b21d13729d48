#include "run/front_facts.hpp"

#include "base/counted.hpp"
#include "base/json_file.hpp"
#include "base/json_reader.hpp"
#include "base/mapped_file.hpp"
#include "base/sha256.hpp"
#include "report/host/host_capture.hpp"
#include "report/host/host_name.hpp"
#include "report/host/privacy.hpp"
#include "run/package_key.hpp"
#include "schema/tool_info.hpp"

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

// The parts of a planned case that are compared, and what they are called. They are compared as they are in
// JSON.
struct CasePart {
  const char* key;
  const char* words;
  const char* cure = "start all ranks with the same files";
};

constexpr std::array kCaseParts{CasePart{"model", "the model file"}, CasePart{"weights", "the weights"},
                                CasePart{"data", "the data set's files"},
                                CasePart{"processors", "the processor or GPU for the package",
                                         "use machines of one kind, or another --engine"}};

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

// The options without what may differ between machines: places of files, and the number of cores.
// Its keys are such as "/measure/max_time_seconds".
json options_of(const schema::PlannedCase& planned) {
  json options = to_json(planned);
  for (const char* key :
       {"weights_path", "data_path", "vocabulary_path", "dump_first_step_path", "definition_sha256"})
    options.erase(key);
  for (const char* key : {"threads", "data_files"}) options.at("spec").erase(key);
  return options.flatten();
}

json facts_of(const schema::PlannedCase& planned, const schema::HostInfo& host, FileSums& sums,
              const std::string& unusable) {
  const bool is_packaged = row_of(planned.spec.engine).packaged;
  return {{"id", planned.id},
          {"model", planned.definition_sha256},
          {"weights", planned.weights_path ? json(sums.of(*planned.weights_path)) : json(nullptr)},
          {"data", planned.spec.data_files},
          {"processors", is_packaged ? processors(host, planned.spec.device) : json(nullptr)},
          {"options", options_of(planned)},
          {"unusable", unusable}};
}

// Why the case cannot run on this machine, or nothing.
std::string why_unusable(const schema::RunRecord& record, const schema::PlannedCase& planned) {
  const auto launches = record.launches.find(planned.id);
  if (launches == record.launches.end() || launches->second.empty()) return "";
  const schema::Launch& launch = launches->second.front();
  return launch.status == schema::Status::unsupported && launch.failure ? launch.failure->message : "";
}

// One front, with its facts as read.
struct Front {
  std::int64_t rank = 0;
  std::string libtorch;
  json facts;

  [[nodiscard]] std::string name() const {
    return "rank " + std::to_string(rank) + " (on " + facts.at("host").get<std::string>() + ")";
  }
};

base::Error other(const Front& front, const std::string& what, const std::string& own,
                  const std::string& first, const std::string& cure) {
  return base::usage_error(front.name() + " has " + what + " " + own + ", but rank 0 has " + first + "; " +
                           cure);
}

std::optional<base::Error> other_program(const Front& first, const Front& front) {
  const auto text = [](const Front& one, const char* key) { return one.facts.at(key).get<std::string>(); };
  const auto ranks = [](const Front& one) { return base::to_text(one.facts.at("ranks")); };
  if (ranks(front) != ranks(first))
    return other(front, "a world size of", ranks(front), ranks(first),
                 "start all ranks with the same number of them");
  const std::string cure = "install the same on all machines";
  if (text(front, "version") != text(first, "version"))
    return other(front, "mpsbench", text(front, "version"), text(first, "version"), cure);
  if (text(front, "commit") != text(first, "commit"))
    return other(front, "mpsbench of commit", text(front, "commit"), text(first, "commit"), cure);
  if (front.libtorch != first.libtorch) return other(front, "LibTorch", front.libtorch, first.libtorch, cure);
  return std::nullopt;
}

// A case that cannot run on one of the two.
std::optional<base::Error> unusable_case(const Front& front, const json& own) {
  const std::string reason = own.at("unusable").get<std::string>();
  if (reason.empty()) return std::nullopt;
  return base::Error(base::ErrorKind::no_device,
                     front.name() + " cannot run " + own.at("id").get<std::string>() + ": " + reason);
}

// An option that is not part of the id. -r comes first, because --max-time is shared out among its launches.
std::optional<base::Error> other_option(const json& first, const Front& front, const json& own,
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

std::optional<base::Error> other_case(const Front& zero, const json& first, const Front& front,
                                      const json& own) {
  const std::string id = first.at("id").get<std::string>();
  if (own.at("id") != first.at("id"))
    return base::usage_error(front.name() + " plans the case " + own.at("id").get<std::string>() +
                             ", but rank 0 plans " + id + "; start all ranks with the same options");
  const auto here = unusable_case(front, own);
  const auto there = unusable_case(zero, first);
  if (here.has_value() != there.has_value()) return here ? here : there;
  for (const CasePart& part : kCaseParts) {
    if (own.at(part.key) != first.at(part.key))
      return base::usage_error(front.name() + " differs from rank 0 in " + part.words + " of " + id + "; " +
                               part.cure);
  }
  return other_option(first.at("options"), front, own.at("options"), id);
}

std::optional<base::Error> other_plan(const Front& first, const Front& front) {
  const json& own = front.facts.at("cases");
  const json& cases = first.facts.at("cases");
  if (own.is_null() != cases.is_null())
    return base::usage_error(front.name() +
                             " has another plan than rank 0; start all ranks with the same options");
  const std::size_t both = std::min(cases.size(), own.size());
  for (std::size_t i = 0; i < both; ++i) {
    if (auto error = other_case(first, cases[i], front, own[i])) return error;
  }
  if (own.size() == cases.size()) return std::nullopt;
  const auto plans = [both](const json& some, const json& others) {
    const std::string count = " plans " + base::counted(some.size(), "case", "cases");
    return some.size() > both ? count : count + ", without " + others[both].at("id").get<std::string>();
  };
  return base::usage_error(front.name() + plans(own, cases) + ", but rank 0" + plans(cases, own) +
                           "; start all ranks with the same options");
}

std::optional<base::Error> missing_rank(const std::vector<Front>& fronts, const schema::GroupPlace& place) {
  for (std::int64_t rank = 0; rank < place.ranks; ++rank) {
    const auto count = std::ranges::count(fronts, rank, &Front::rank);
    const std::string name = "rank " + std::to_string(rank);
    if (count > 1)
      return base::usage_error(std::to_string(count) + " processes say that they are " + name +
                               "; is another run using port " + std::to_string(place.port) +
                               "? Then set MASTER_PORT");
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

std::string front_facts(std::int64_t ranks, const schema::RunRecord* record) {
  const schema::ToolInfo tool = schema::tool_info();
  json facts{
      {"host", machine_name()},
      {"host_in_reports", report::host_name(report::read_machine("/").cpu.model, report::state_folder())},
      {"ranks", ranks},
      {"version", tool.version},
      {"commit", commit_text(tool)},
      {"cases", nullptr}};
  if (record != nullptr) {
    FileSums sums;
    json cases = json::array();
    for (const schema::PlannedCase& planned : record->run.planned)
      cases.push_back(facts_of(planned, record->host, sums, why_unusable(*record, planned)));
    facts["cases"] = std::move(cases);
  }
  return base::to_text(facts);
}

std::optional<base::Error> disagreement(const std::vector<schema::FrontFacts>& fronts,
                                        const schema::GroupPlace& place) {
  std::vector<Front> all;
  for (const schema::FrontFacts& one : fronts)
    all.push_back({one.rank, one.libtorch, base::parse_json(one.facts, "facts")});
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (auto error = other_program(all.front(), all[i])) return error;
  }
  if (auto error = missing_rank(all, place)) return error;
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (auto error = other_plan(all.front(), all[i])) return error;
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
    const json facts = base::parse_json(front.facts, "facts");
    const auto machine = facts.at("host").get<std::string>();
    const auto given = facts.at("host_in_reports").get<std::string>();
    if (!own) own = machine;
    const auto [found, is_new] = names.try_emplace(machine, given);
    for (int number = 2; is_new && !taken.insert(found->second).second; ++number)
      found->second = given + "-" + std::to_string(number);
    if (machine != *own) hosts[front.rank] = found->second;
  }
  return hosts;
}

}  // namespace mpsbench::run
