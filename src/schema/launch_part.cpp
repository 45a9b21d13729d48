#include "schema/launch_part.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace mpsbench::schema {

namespace {

constexpr const char* kMinSamples = "min-samples";

// Calls VISIT with each list of A, to which a running launch only appends, and with that of B.
template <typename A, typename B, typename Visit>
void visit_growing(A& a, B& b, Visit visit) {
  constexpr std::tuple kMembers(&Launch::samples_seconds, &Launch::prefill_samples_seconds,
                                &Launch::latency_samples_seconds, &Launch::event_samples_seconds,
                                &Launch::warmup_samples_seconds, &Launch::losses, &Launch::epochs,
                                &Launch::evaluations);
  std::apply([&](auto... members) { (visit(a.*members, b.*members), ...); }, kMembers);
  if (!a.ranks.empty() && !b.ranks.empty()) visit(a.ranks.front().samples_seconds, b.ranks.front().samples_seconds);
}

bool is_cut_short(const Launch& launch) {
  if (launch.status == Status::crashed) return launch.failure && launch.failure->kind != kProtocolFailure;
  if (launch.status == Status::failed) return is_lost_rank(launch.failure);
  return launch.status == Status::interrupted || launch.status == Status::timeout || launch.status == Status::oom;
}

}  // namespace

Launch LaunchCutter::next_part(const Launch& launch, bool is_last_open) {
  Launch part = launch;
  for (std::vector<double>* samples : {&part.samples_seconds, &part.latency_samples_seconds}) {
    if (is_last_open && !samples->empty()) samples->pop_back();
  }
  std::size_t list = 0;
  visit_growing(part, part, [&](auto& rest, auto&) {
    if (list == sent_.size()) sent_.push_back(0);
    const std::size_t size = rest.size();
    rest.erase(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(sent_[list]));
    sent_[list++] = size;
  });
  return part;
}

void add_part(Launch& whole, Launch part) {
  visit_growing(whole, part, [](auto& all, auto& rest) {
    all.insert(all.end(), rest.begin(), rest.end());
    rest = std::move(all);
  });
  whole = std::move(part);
}

void note_few_samples(Launch& launch, std::int64_t least_samples) {
  const std::int64_t samples = std::ssize(launch.samples_seconds);
  if (samples > 0 && samples < least_samples && !std::ranges::count(launch.unmet, kMinSamples))
    launch.unmet.emplace_back(kMinSamples);
}

bool counts(const Launch& launch) {
  if (launch.status == Status::ok) return true;
  const bool has_enough = !launch.samples_seconds.empty() && !std::ranges::count(launch.unmet, kMinSamples);
  return is_cut_short(launch) && (has_enough || !launch.epochs.empty());
}

std::vector<const Launch*> counted(std::span<const Launch> launches) {
  std::vector<const Launch*> all;
  for (const Launch& launch : launches) {
    if (counts(launch)) all.push_back(&launch);
  }
  return all;
}

}  // namespace mpsbench::schema
