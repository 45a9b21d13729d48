#include "output/console/time_left.hpp"

#include <algorithm>

namespace mpsbench::output {

TimeLeft::TimeLeft(const std::vector<schema::PlannedCase>& plan) {
  for (const schema::PlannedCase& planned : plan) {
    CaseTime& entry = cases_[planned.id];
    entry.budget_seconds = measuring_limit_seconds(planned);
    entry.cooldown_seconds = planned.cooldown_seconds;
    entry.counted_work = planned.spec.epochs || planned.spec.iterations;
    entry.left += planned.repeats;
  }
}

void TimeLeft::expect(const std::string& case_id, double seconds) {
  if (const auto found = cases_.find(case_id); found != cases_.end())
    found->second.estimated_seconds = seconds;
}

bool TimeLeft::is_rough() const {
  return std::any_of(cases_.begin(), cases_.end(), [](const auto& one) {
    return one.second.left > 0 && one.second.good == 0 && one.second.estimated_seconds;
  });
}

void TimeLeft::finished(const std::string& case_id, const schema::Launch& launch) {
  const auto found = cases_.find(case_id);
  if (found == cases_.end()) return;
  CaseTime& entry = found->second;
  entry.left = std::max<std::int64_t>(entry.left - 1, 0);
  if (launch.status != schema::Status::ok) return;
  ++entry.good;
  entry.good_seconds += launch.wall_seconds;
  const schema::SetupSeconds setup = launch.setup_seconds.value_or(schema::SetupSeconds{});
  const double setup_seconds = setup.load + setup.device + setup.model + setup.data;
  ++good_;
  setup_seconds_ += setup_seconds;
  if (entry.counted_work) return;  // their budget is the timeout, which says nothing about other cases
  used_seconds_ += std::max(launch.wall_seconds - setup_seconds, 0.0);
  offered_seconds_ += entry.budget_seconds;
}

double TimeLeft::expected(const CaseTime& entry) const {
  if (entry.good > 0) return entry.cooldown_seconds + entry.good_seconds / static_cast<double>(entry.good);
  const double setup = good_ > 0 ? setup_seconds_ / static_cast<double>(good_) : 0;
  if (entry.estimated_seconds) return entry.cooldown_seconds + setup + *entry.estimated_seconds;
  // A launch may stop long before its budget is used. The best guess is the share of their budgets that
  // others used.
  const double share = offered_seconds_ > 0 ? used_seconds_ / offered_seconds_ : 1;
  return entry.cooldown_seconds + setup + share * entry.budget_seconds;
}

double TimeLeft::seconds(const std::string& case_id, double running_seconds) const {
  double total = 0;
  for (const auto& [id, entry] : cases_) {
    if (entry.left == 0) continue;
    const double one = expected(entry);
    total += one * static_cast<double>(entry.left);
    if (id == case_id) total -= std::min(one, running_seconds);
  }
  return total;
}

}  // namespace mpsbench::output
