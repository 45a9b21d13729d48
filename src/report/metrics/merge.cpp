#include "base/hex.hpp"
#include "base/json_file.hpp"
#include "model/sizes.hpp"
#include "report/metrics/assemble.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace mpsbench::report {
namespace {

using nlohmann::json;
using schema::Launch;
using schema::PlannedCase;
using schema::Report;
using schema::RunRecord;

// Fields of the host that are not compared, because they change from run to run or are joined.
constexpr const char* kNotCompared[] = {"swap_used_bytes", "disk_free_bytes", "disk_total_bytes",
                                        "load_average",    "ceilings",        "accelerators",
                                        "libtorch",        "interconnect",    "network"};

// Returns the machine and the build, without LibTorch, which a run without launches does not know.
json place_of(const Report& report) {
  json host = schema::to_json(report.host);
  for (const char* key : kNotCompared) host.erase(key);
  return {{"tool", schema::to_json(report.tool)}, {"host", std::move(host)}};
}

// Returns what decides how the launches of a case run, without the time limit, which depends on the repeats.
json work_of(const PlannedCase& planned) {
  json measure = schema::to_json(planned.measure);
  measure.erase("max_time_seconds");
  return {{"definition_sha256", planned.definition_sha256},
          {"spec", schema::to_json(planned.spec)},
          {"measure", std::move(measure)}};
}

std::string value_at(const json& document, const json::json_pointer& place) {
  return document.contains(place) ? base::excerpt(base::to_text(document.at(place))) : "absent";
}

base::Error refusal(const std::string& first_file, const std::string& other_file, const std::string& why) {
  return {base::ErrorKind::not_comparable, other_file + " cannot be merged with " + first_file + ": " + why};
}

// WHERE names the case in the message. It is empty if the message is not about a case.
void require_equal(const json& first, const std::string& first_file, const json& other, const std::string& other_file,
                   const std::string& where) {
  const json changes = json::diff(first, other);
  if (changes.empty()) return;
  auto path = changes.front().at("path").get<std::string>();
  const json::json_pointer place(path);
  std::ranges::replace(path, '/', '.');
  throw refusal(first_file, other_file,
                where + base::excerpt(path.substr(1)) + " is " + value_at(other, place) + " in " + other_file + ", " +
                    value_at(first, place) + " in " + first_file);
}

// Strangers' files may contain any numbers.
std::int64_t sum(std::int64_t a, std::int64_t b, const std::string& file) {
  const auto total = model::sum(a, b, base::kLargestInteger);
  if (!total) throw base::usage_error(file + ": its number of launches or repeats is too large");
  return *total;
}

class Merger {
 public:
  void add(NamedReport from) {
    Report& report = from.report;
    for (const schema::CaseResult& result : report.cases) {
      if (result.published)
        throw base::usage_error(from.file + " contains published figures, which have no launches to merge; pass it " +
                                "to mpsbench compare together with your own report");
    }
    if (first_file_.empty()) {
      begin(from);
    } else {
      require_equal(place_, first_file_, place_of(report), from.file, "");
      join_libtorch(from);
      join_accelerators(from);
      join_ceilings(report.host.ceilings);
      // Only a run on several GPUs knows how they are connected, and only one under a launcher its network.
      if (!all_.host.interconnect) all_.host.interconnect = report.host.interconnect;
      if (!all_.host.network) all_.host.network = report.host.network;
      join_run(report.run);
    }
    std::int64_t next_order = next_order_;
    for (std::size_t i = 0; i < report.cases.size(); ++i) {
      std::vector<Launch>& launches = report.cases[i].launches;
      require_new(report.cases[i].id, launches, from.file);
      for (Launch& launch : launches) {
        launch.order = sum(launch.order, next_order_, from.file);
        next_order = std::max(next_order, sum(launch.order, 1, from.file));
      }
      add_case(report.run.planned[i], launches, from.file);
    }
    next_order_ = next_order;
    all_.run.definitions.merge(report.run.definitions);
  }

  // ARGUMENTS is the command line that the merged report records.
  RunRecord take(std::vector<std::string> arguments) {
    all_.run.argv = std::move(arguments);
    std::string ids;
    for (const std::string& id : run_ids_) ids += id + "\n";
    all_.run.id = base::sha256_hex(ids).substr(0, kRunIdLength);
    return std::move(all_);
  }

 private:
  static constexpr std::size_t kRunIdLength = 12;

  struct Origin {
    std::size_t at = 0;  // position in the plan
    std::string file;    // the first one with this case
    json work;
  };
  // A case, and the start and measured duration of a launch: no two launches have all three in common.
  using LaunchKey = std::tuple<std::string, std::string, double>;

  void begin(const NamedReport& from) {
    first_file_ = from.file;
    place_ = place_of(from.report);
    all_.tool = from.report.tool;
    all_.host = from.report.host;
    all_.run = from.report.run;
    all_.run.planned.clear();
    all_.run.definitions.clear();
    run_ids_ = {from.report.run.id};
    suites_ = {from.report.run.suite};
    if (all_.host.libtorch) libtorch_file_ = from.file;
  }

  void join_libtorch(const NamedReport& from) {
    const auto& other = from.report.host.libtorch;
    if (!other) return;
    if (!all_.host.libtorch) {
      all_.host.libtorch = other;
      libtorch_file_ = from.file;
      return;
    }
    const auto document = [](const schema::LibtorchInfo& libtorch) {
      json fields = schema::to_json(libtorch);
      // --threads and --interop-threads belong to the cases.
      fields.erase("intra_op_threads");
      fields.erase("inter_op_threads");
      return json{{"host", {{"libtorch", std::move(fields)}}}};
    };
    require_equal(document(*all_.host.libtorch), libtorch_file_, document(*other), from.file, "");
  }

  // A run knows only the accelerators that it asked for.
  void join_accelerators(const NamedReport& from) {
    for (const schema::Accelerator& other : from.report.host.accelerators) {
      auto& known = all_.host.accelerators;
      const auto found = std::ranges::find(known, other.device, &schema::Accelerator::device);
      if (found == known.end()) {
        known.push_back(other);
      } else if (found->name != other.name || found->memory_bytes != other.memory_bytes) {
        throw refusal(first_file_, from.file,
                      "its " + to_string(other.device) + " is a different one (" + base::excerpt(other.name) +
                          ", not " + base::excerpt(found->name) + ")");
      }
    }
  }

  // Keeps the latest ceiling of each device.
  void join_ceilings(const std::vector<schema::Ceiling>& others) {
    for (const schema::Ceiling& other : others) {
      auto& known = all_.host.ceilings;
      const auto found = std::ranges::find_if(known, [&](const schema::Ceiling& one) {
        return one.device == other.device && one.threads == other.threads;
      });
      if (found == known.end()) {
        known.push_back(other);
      } else if (found->measured_at < other.measured_at) {
        *found = other;
      }
    }
  }

  void join_run(const schema::RunInfo& other) {
    schema::RunInfo& run = all_.run;
    run_ids_.insert(other.id);
    run.finished_at =
        run.finished_at && other.finished_at ? std::max(run.finished_at, other.finished_at) : std::nullopt;
    if (other.status == schema::RunStatus::interrupted) run.status = other.status;
    run.strict = run.strict || other.strict;
    run.repeats_disturbed = run.repeats_disturbed && other.repeats_disturbed;
    // The purpose of a single run does not hold for joined runs, because their launches did not follow each other.
    if (run.purpose != schema::Purpose::plain || other.purpose != schema::Purpose::plain) run.purpose.reset();
    run.gate.reset();
    run.planned_within_seconds.reset();
    run.launcher.reset();
    run.fewer_threads.reset();
    // It would be unclear to which cases the price applies.
    if (run.epochs_projected != other.epochs_projected) run.epochs_projected.reset();
    if (run.percentiles != other.percentiles) run.percentiles.clear();
    if (run.price_dollars != other.price_dollars) run.price_dollars.reset();
    if (suites_.insert(other.suite).second) run.suite += "+" + other.suite;
  }

  void require_new(const std::string& id, const std::vector<Launch>& launches, const std::string& file) {
    for (const Launch& launch : launches) {
      if (launch.wall_seconds == 0) continue;  // no worker ran
      const auto [seen, is_new] = launch_files_.emplace(LaunchKey{id, launch.started_at, launch.wall_seconds}, file);
      if (!is_new)
        throw base::usage_error(seen->second + " and " + file + " both contain the launch of " + base::excerpt(id) +
                                " that started at " + base::excerpt(launch.started_at) +
                                ", which would count twice; leave out one of these files");
    }
  }

  void add_case(const PlannedCase& planned, std::vector<Launch>& launches, const std::string& file) {
    const json work = work_of(planned);
    const auto [origin, is_new] = origins_.emplace(planned.id, Origin{all_.run.planned.size(), file, work});
    std::vector<Launch>& all_launches = all_.launches[planned.id];
    if (is_new) {
      all_.run.planned.push_back(planned);
      all_launches = std::move(launches);
      return;
    }
    require_equal(origin->second.work, origin->second.file, work, file, "case " + base::excerpt(planned.id) + ": ");
    PlannedCase& all = all_.run.planned[origin->second.at];
    for (Launch& launch : launches) {
      launch.index = sum(launch.index, all.repeats, file);
      all_launches.push_back(std::move(launch));
    }
    all.repeats = sum(all.repeats, planned.repeats, file);
    all.repeated = sum(all.repeated, planned.repeated, file);
    all.is_bound = all.is_bound && planned.is_bound;
    if (planned.tied_batches) {
      schema::TiedBatches& tied =
          all.tied_batches ? *all.tied_batches : all.tied_batches.emplace(*planned.tied_batches);
      tied.least = std::min(tied.least, planned.tied_batches->least);
      tied.most = std::max(tied.most, planned.tied_batches->most);
      tied.half_width = std::max(tied.half_width, planned.tied_batches->half_width);
    }
    all.measure.max_time_seconds = std::max(all.measure.max_time_seconds, planned.measure.max_time_seconds);
    all.timeout_seconds = std::max(all.timeout_seconds, planned.timeout_seconds);
    all.rendezvous_timeout_seconds = std::max(all.rendezvous_timeout_seconds, planned.rendezvous_timeout_seconds);
  }

  RunRecord all_;
  std::string first_file_;
  std::string libtorch_file_;
  json place_;
  std::set<std::string> run_ids_;
  std::set<std::string> suites_;
  std::map<std::string, Origin> origins_;
  std::map<LaunchKey, std::string> launch_files_;
  std::int64_t next_order_ = 0;
};

}  // namespace

RunRecord merge(std::vector<NamedReport> reports) {
  std::vector<std::string> arguments{"mpsbench", "merge"};
  for (const NamedReport& one : reports) arguments.push_back(one.file);
  std::ranges::stable_sort(reports, {}, [](const NamedReport& one) { return one.report.run.started_at; });
  Merger merger;
  for (NamedReport& one : reports) merger.add(std::move(one));
  return merger.take(std::move(arguments));
}

}  // namespace mpsbench::report
