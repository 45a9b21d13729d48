#include "supervise/run_launches.hpp"

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "supervise/front_orders.hpp"
#include "supervise/run_order.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace mpsbench::supervise {
namespace {

using schema::Launch;
using schema::PlannedCase;
using schema::Status;

class Launcher {
 public:
  Launcher(JournaledRun& run, const RequestMaker& make_request, const LaunchSink& show, Interrupt& interrupt)
      : record_(*run.run.record),
        journal_(run.journal),
        worker_(run.run.worker),
        lead_(run.run.lead),
        make_request_(make_request),
        show_(show),
        interrupt_(interrupt) {
    const std::vector<PlannedLaunch> missing = missing_launches(record_);
    missing_.insert(missing.begin(), missing.end());
    for (const PlannedCase& planned : record_.run.planned) total_ += static_cast<std::size_t>(planned.repeats);
    done_ = total_ - missing.size();
    next_order_ = next_order(record_);
  }

  [[nodiscard]] bool lacks(const PlannedLaunch& one) const { return missing_.contains(one); }

  [[nodiscard]] bool is_disturbed(const PlannedLaunch& one) const {
    const Launch* launch = find(one);
    return launch != nullptr && launch->disturbed.has_value();
  }

  // Notes that the launch of another run, with which this one took turns, was disturbed. Returns false if
  // that cannot be saved.
  bool note_other_side(const PlannedLaunch& one) {
    Launch* launch = find(one);
    if (launch == nullptr || launch->disturbed) return true;
    launch->disturbed = schema::Disturbance::other_side;
    return save([&] { journal_.rewrite(record_); });
  }

  // Runs a launch that the record lacks. From ENDS_AT on, none starts. Returns RunEnd::complete if the run can
  // continue.
  RunEnd run(const PlannedLaunch& one, std::optional<double> ends_at) {
    if (interrupt_.count() > 0) return RunEnd::interrupted;
    const PlannedCase& planned = record_.run.planned[one.case_index];
    std::optional<Launch> launch = skipped(planned);
    std::optional<schema::LibtorchInfo> libtorch;
    if (!launch) {
      if (ends_at && base::steady_seconds() + pause_seconds(planned) >= *ends_at) return RunEnd::time_limit;
      if (interrupt_.wait(pause_seconds(planned))) return RunEnd::interrupted;
      has_launched_ = true;
      show_(LaunchStarted{position(one)});
      LaunchOutcome outcome = launch_one(planned, one.index);
      if (is_other_libtorch(outcome)) return RunEnd::other_libtorch;
      libtorch = std::move(outcome.libtorch);
      launch = std::move(outcome.launch);
    }
    launch->index = one.index;
    launch->order = next_order_++;
    ++done_;
    const Status status = launch->status;
    add_launch(record_, planned.id, *std::move(launch));
    const std::vector<Launch>& launches = record_.launches[planned.id];
    const bool new_libtorch = libtorch && !record_.host.libtorch;
    if (new_libtorch) record_.host.libtorch = std::move(libtorch);
    const bool saved = save([&] {
      if (new_libtorch) journal_.append(*record_.host.libtorch);
      journal_.append(planned.id, launches.back());
    });
    show_(LaunchEnded{position(one), launches.back()});
    if (!saved) return RunEnd::journal_failed;
    return status == Status::interrupted ? RunEnd::interrupted : RunEnd::complete;
  }

 private:
  [[nodiscard]] Launch* find(const PlannedLaunch& one) const {
    const auto launches = record_.launches.find(record_.run.planned[one.case_index].id);
    if (launches == record_.launches.end()) return nullptr;
    const auto launch = std::ranges::find(launches->second, one.index, &Launch::index);
    return launch == launches->second.end() ? nullptr : &*launch;
  }

  LaunchOutcome launch_one(const PlannedCase& planned, std::int64_t index) {
    schema::LaunchRequest request = make_request_(record_, planned);
    Launch stamp = failed_launch(Status::interrupted, {"interrupted", "mpsbench ended during this launch", ""});
    stamp.index = index;
    stamp.order = next_order_;
    const auto on_event = [&](const schema::Event& event) {
      if (const auto* part = std::get_if<schema::PartEvent>(&event)) save_part(planned.id, stamp, part->launch);
      show_(WorkerSaid{event});
    };
    const LaunchSetting setting{worker_, {planned.timeout_seconds}, interrupt_, on_event, required_libtorch()};
    return lead_ != nullptr ? lead_->run_launch(setting, std::move(request)) : run_launch(setting, request);
  }

  // Adds PART to the journal as a part of the launch STAMP. If that fails, the line of the finished launch
  // will show whether the journal can be written again.
  void save_part(const std::string& id, const Launch& stamp, Launch part) {
    if (is_damaged_) return;
    part.status = stamp.status;
    part.failure = stamp.failure;
    part.index = stamp.index;
    part.order = stamp.order;
    part.started_at = stamp.started_at;
    try {
      journal_.append_part(id, part);
    } catch (const base::Error& error) {
      is_damaged_ = true;
      base::log::detail(error.what());
    }
  }

  [[nodiscard]] double pause_seconds(const PlannedCase& planned) const {
    return has_launched_ ? planned.cooldown_seconds : 0;
  }

  [[nodiscard]] std::optional<std::string> required_libtorch() const {
    const auto& libtorch = record_.host.libtorch;
    return libtorch ? std::optional(libtorch->version) : std::nullopt;
  }

  // A case must not mix launches of two versions of LibTorch.
  [[nodiscard]] bool is_other_libtorch(const LaunchOutcome& outcome) const {
    const auto required = required_libtorch();
    if (!outcome.libtorch || !required || outcome.libtorch->version == *required) return false;
    base::log::warn("the run started with LibTorch " + *required + ", but the worker now has " +
                    outcome.libtorch->version +
                    "; the run stops here, and finished launches are kept: continue with --resume and the "
                    "earlier worker, or start a new run");
    return true;
  }

  // Returns the record of a launch that must not start, because a smaller batch ran out of memory or an equal
  // network computed a wrong output. Otherwise nullopt.
  [[nodiscard]] std::optional<Launch> skipped(const PlannedCase& planned) const {
    const auto skip = [](const char* kind, const std::string& reason) {
      return failed_launch(Status::skipped, {kind, "not started: " + reason, ""});
    };
    for (const PlannedCase& other : record_.run.planned) {
      const bool smaller =
          other.spec.batch_size < planned.spec.batch_size && memory_group(other.spec) == memory_group(planned.spec);
      for (const Launch& one : launches_of(record_, other.id)) {
        if (smaller && one.status == Status::oom)
          return skip("oom_backstop", other.id + ", a smaller batch, ran out of memory");
        if (condemns(one, other, planned)) return skip("wrong_output_backstop", other.id + " computed a wrong output");
      }
    }
    return std::nullopt;
  }

  // If a line cannot be appended, it may be incomplete or the folder may be missing. The whole journal is
  // then written again.
  template <typename Append>
  bool save(Append append) {
    try {
      if (!std::exchange(is_damaged_, false)) {
        append();
        return true;
      }
    } catch (const base::Error& error) {
      base::log::detail(error.what());
    }
    try {
      journal_.rewrite(record_);
      base::log::warn(journal_.path().string() + " was damaged or missing and has been written again");
      return true;
    } catch (const base::Error& error) {
      base::log::warn(std::string(error.what()) + "; the run stops here, but no finished launch is lost yet");
      return false;
    }
  }

  [[nodiscard]] RunPosition position(const PlannedLaunch& one) const {
    return {one.case_index, one.index, done_, total_};
  }

  schema::RunRecord& record_;
  Journal& journal_;
  const std::filesystem::path& worker_;
  LeadingFront* lead_;
  const RequestMaker& make_request_;
  const LaunchSink& show_;
  Interrupt& interrupt_;
  std::set<PlannedLaunch> missing_;
  std::size_t done_ = 0;
  std::size_t total_ = 0;
  std::int64_t next_order_ = 0;
  bool has_launched_ = false;
  bool is_damaged_ = false;  // a part of a launch could not be written to the journal
};

// If the launch of one run was disturbed, it no longer pairs with those of the others. Returns false if a
// journal can no longer be written.
bool set_pair_aside(std::vector<Launcher>& launchers, const PlannedLaunch& one) {
  const auto is_disturbed = [&](const Launcher& launcher) { return launcher.is_disturbed(one); };
  if (launchers.size() < 2 || std::ranges::none_of(launchers, is_disturbed)) return true;
  return std::ranges::all_of(launchers, [&](Launcher& launcher) { return launcher.note_other_side(one); });
}

}  // namespace

RunEnd run_launches(std::vector<JournaledRun>& runs, const RequestMaker& make_request, const LaunchSink& show,
                    Interrupt& interrupt, std::optional<double> ends_at) {
  std::vector<Launcher> launchers;
  for (JournaledRun& one : runs) launchers.emplace_back(one, make_request, show, interrupt);
  const schema::RunInfo& run = runs.front().run.record->run;
  for (const PlannedLaunch& one : launch_order(run.planned, static_cast<std::uint64_t>(run.seed))) {
    const std::size_t first = static_cast<std::size_t>(one.index) + one.case_index;
    bool is_begun = false;  // then the other runs get this launch, too, so that all have equally many
    for (std::size_t turn = 0; turn < launchers.size(); ++turn) {
      Launcher& launcher = launchers[(first + turn) % launchers.size()];
      if (!launcher.lacks(one)) continue;
      const RunEnd end = launcher.run(one, is_begun ? std::nullopt : ends_at);
      if (end != RunEnd::complete) return end;
      is_begun = true;
    }
    if (is_begun && !set_pair_aside(launchers, one)) return RunEnd::journal_failed;
  }
  return RunEnd::complete;
}

}  // namespace mpsbench::supervise
