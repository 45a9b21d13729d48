#include "measure/stopping.hpp"

#include "measure/window.hpp"
#include "stats/interval.hpp"

namespace mpsbench::measure {
namespace {

// The interval is computed again when there are this many times as many samples: at most about 40 times per
// launch. Computing it rarely also makes it less likely that a launch stops because of chance.
constexpr double kLookGrowth = 1.15;

}  // namespace

StoppingRule::StoppingRule(const schema::MeasureSpec& spec, double deadline_seconds,
                           std::optional<std::int64_t> max_batches)
    : spec_(spec), deadline_seconds_(deadline_seconds), max_batches_(max_batches) {}

std::optional<std::string> StoppingRule::stops(const SamplesSoFar& so_far) {
  const std::size_t count = so_far.samples.size();
  if (max_batches_ && so_far.steps >= *max_batches_) return "max-batches";
  const bool full = count >= static_cast<std::size_t>(kMostSamples);
  const bool late = so_far.now_seconds >= deadline_seconds_;
  if (full || late) {
    if (unmet(so_far).empty()) return "max-noise";
    return full ? "max-samples" : "max-time";
  }
  if (so_far.timed_seconds < spec_.min_time_seconds) return std::nullopt;
  if (count < static_cast<std::size_t>(spec_.min_samples) || count < next_look_) return std::nullopt;
  next_look_ = static_cast<std::size_t>(static_cast<double>(count) * kLookGrowth) + 1;
  if (unmet(so_far).empty()) return "max-noise";
  return std::nullopt;
}

std::vector<std::string> StoppingRule::unmet(const SamplesSoFar& so_far) const {
  std::vector<std::string> conditions;
  if (so_far.timed_seconds < spec_.min_time_seconds) conditions.emplace_back("min-time");
  if (static_cast<std::int64_t>(so_far.samples.size()) < spec_.min_samples)
    conditions.emplace_back("min-samples");
  const auto interval = stats::median_interval(so_far.samples);
  if (!interval || interval->relative_half_width() > spec_.max_noise) conditions.emplace_back("max-noise");
  return conditions;
}

}  // namespace mpsbench::measure
