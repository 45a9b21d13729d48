#include "base/units.hpp"
#include "cli/commands/commands.hpp"
#include "model/build_network_plan.hpp"
#include "model/memory.hpp"
#include "output/text/text.hpp"
#include "report/metrics/ceilings.hpp"
#include "supervise/run_order.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace mpsbench::cli {
namespace {

// Returns "about 2.8 GiB (weights 475 MiB, gradients 475 MiB, optimizer 949 MiB, activations 980 MiB)".
std::string memory_text(const schema::NetworkPlan& plan, const schema::CaseSpec& spec) {
  const model::MemoryForecast memory = model::forecast_memory(plan, spec);
  std::string parts;
  for (const auto& [name, bytes] : {std::pair{"weights", memory.weights},
                                    {"gradients", memory.gradients},
                                    {"optimizer", memory.optimizer},
                                    {"batch", memory.batch},
                                    {"cache", memory.cache},
                                    {"activations", memory.activations}}) {
    if (bytes > 0) parts += (parts.empty() ? "" : ", ") + std::string(name) + " " + base::format_bytes(bytes);
  }
  // A frozen backbone's activations are not forecast.
  return (spec.freeze_backbone ? "at least " : "about ") + base::format_bytes(memory.total()) +
         (parts.empty() ? "" : " (" + parts + ")");
}

// Returns the time of launches that have not run yet.
std::string time_text(double seconds, bool is_estimate) {
  return (is_estimate ? "about " : "up to ") + base::format_duration(seconds);
}

// Returns what TIME is, if it is not the limit of --max-time.
std::string basis_text(const schema::PlannedCase& planned, const report::ExpectedTime& time) {
  if (time.seconds > planned.timeout_seconds)
    return " (longer than --timeout " + base::format_duration(planned.timeout_seconds) + "; raise it)";
  if (planned.spec.epochs)
    return " (epochs of " + base::counted(schema::steps_per_epoch(planned.spec), "step", "steps") +
           ": no limit but --timeout)";
  if (planned.spec.iterations) return " (all iterations: no limit but --timeout)";
  return time.is_estimate ? " (steps are longer than --max-time allows)" : "";
}

// The launches of all cases together.
class Total {
 public:
  // If FILLED_SECONDS is set, the run adds launches until then.
  Total(const schema::RunRecord& record, std::optional<double> filled_seconds)
      : record_(&record), filled_seconds_(filled_seconds) {}

  // Returns the text of LAUNCHES of PLANNED, or of each of them if more are added.
  std::string add(const schema::PlannedCase& planned, std::size_t launches) {
    const report::ExpectedTime time = report::expected_time(*record_, planned);
    const double each = time.seconds + planned.cooldown_seconds;
    const double seconds = static_cast<double>(launches) * each;
    launches_ += launches;
    seconds_ += seconds;
    is_estimate_ = is_estimate_ || (launches > 0 && time.is_estimate);
    const std::string text = time_text(filled_seconds_ ? each : seconds, time.is_estimate);
    return text + (filled_seconds_ ? " each" : "") + basis_text(planned, time);
  }
  [[nodiscard]] std::string count(std::size_t launches) const {
    return base::counted(launches, "launch", "launches") + (filled_seconds_ && launches > 0 ? " or more" : "");
  }
  [[nodiscard]] std::string text() const {
    const std::string measuring = time_text(seconds_, is_estimate_) + " of measuring";
    if (!filled_seconds_) return count(launches_) + ", " + measuring;
    const std::string all = count(launches_) + ", within " + base::format_duration(*filled_seconds_);
    return seconds_ <= *filled_seconds_ ? all : all + ", which is too short for " + measuring;
  }

 private:
  const schema::RunRecord* record_;
  std::optional<double> filled_seconds_;
  std::size_t launches_ = 0;
  double seconds_ = 0;
  bool is_estimate_ = false;
};

// Returns which batch a search looks for.
const char* sought(suite::SearchedBatch searched) {
  return searched == suite::SearchedBatch::max ? "the largest batch that runs"
                                               : "the smallest power of two within 2 % of the fastest";
}

// Returns why a case has no launch left to run.
std::string why_nothing(const schema::RunRecord& record, const schema::PlannedCase& planned) {
  const auto found = record.launches.find(planned.id);
  if (found == record.launches.end() || found->second.empty()) return "done";
  const std::optional<schema::Failure>& failure = found->second.back().failure;
  return failure ? output::printable(failure->message) : "done";
}

}  // namespace

std::string plan_text(const schema::RunRecord& record, const std::vector<suite::OpenCase>& open,
                      const suite::Host& host, std::optional<double> filled_seconds) {
  std::size_t widest = 0;
  for (const schema::PlannedCase& planned : record.run.planned)
    widest = std::max(widest, output::display_width(output::printable(planned.id)));
  const std::vector<supervise::PlannedLaunch> missing = supervise::missing_launches(record);
  std::string text;
  Total total(record, filled_seconds);
  for (std::size_t i = 0; i < record.run.planned.size(); ++i) {
    const schema::PlannedCase& planned = record.run.planned[i];
    const schema::NetworkPlan plan = model::case_network_plan(record.run, planned.definition_sha256, planned.spec);
    const auto launches =
        static_cast<std::size_t>(std::ranges::count(missing, i, &supervise::PlannedLaunch::case_index));
    const std::string time = total.add(planned, launches);
    const bool script = schema::runs_model_file(plan);
    text += fmt::format("{}  {}  {} parameters  {}{}  {}\n", output::pad_right(output::printable(planned.id), widest),
                        total.count(launches), script ? "unknown" : base::format_count(plan.parameters),
                        memory_text(plan, planned.spec), planned.spec.ranks > 1 ? " for each process" : "",
                        launches > 0 ? time : why_nothing(record, planned));
  }
  for (const suite::OpenCase& one : open) {
    const schema::PlannedCase found = one.first(host);
    const auto launches = static_cast<std::size_t>(found.repeats);
    text += fmt::format("{}  first searches for {}, then {}  {}\n", output::printable(one.id), sought(one.searched),
                        total.count(launches), total.add(found, launches));
  }
  text += base::counted(record.run.planned.size() + open.size(), "case", "cases") + ", " + total.text();
  if (filled_seconds) return text + "\n";
  return text + ", without the set-up of each launch" + (open.empty() ? "" : " and the search for batch sizes") + "\n";
}

}  // namespace mpsbench::cli
