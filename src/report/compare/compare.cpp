#include "report/compare/compare.hpp"

#include "report/compare/case_order.hpp"
#include "report/compare/compare_mean.hpp"
#include "report/compare/compare_verdict.hpp"
#include "stats/holm.hpp"

#include <algorithm>
#include <functional>
#include <future>
#include <map>
#include <span>
#include <thread>

namespace mpsbench::report {
namespace {

// Flags of work that went wrong: its speed is not worth comparing. Cases whose steps drift are compared: the
// work is right, and the launches show how much they drift.
constexpr const char* kUnfitFlags[] = {"diverged", "not-learning", "leaking"};

// Returns why a case has no times to compare, or an empty text if it has some.
std::string unfit(const ComparedCase* result, const std::string& side) {
  if (result == nullptr) return "not in " + side;
  for (const char* flag : kUnfitFlags) {
    if (result->has_flag(flag)) return std::string(flag) + " " + side;
  }
  if (!result->launches.empty()) return "";
  return (result->status == schema::Status::ok ? "no samples" : to_string(result->status)) + " " + side;
}

CaseComparison pair(const ComparedCase* before, const ComparedCase* after) {
  CaseComparison pair;
  pair.id = before != nullptr ? before->id : after->id;
  pair.before = before;
  pair.after = after;
  if (before == nullptr) {
    pair.reason = "only after";
  } else if (after == nullptr) {
    pair.reason = "only before";
  } else {
    const std::string first = unfit(before, "before");
    const std::string second = unfit(after, "after");
    pair.reason = first + (first.empty() || second.empty() ? "" : ", ") + second;
  }
  return pair;
}

std::vector<CaseComparison> pair_cases(const ComparedReport& before, const ComparedReport& after) {
  std::map<std::string_view, const ComparedCase*> left;
  for (const ComparedCase& result : after.cases) left[result.id] = &result;
  std::vector<CaseComparison> pairs;
  for (const ComparedCase& result : before.cases) {
    const auto found = left.find(result.id);
    pairs.push_back(pair(&result, found == left.end() ? nullptr : found->second));
    if (found != left.end()) left.erase(found);
  }
  for (const ComparedCase& result : after.cases) {
    if (left.contains(result.id)) pairs.push_back(pair(nullptr, &result));
  }
  sort_by_batch(pairs, [](const CaseComparison& pair) {
    constexpr std::size_t kBatchPart = 3;
    const ComparedCase& result = pair.before != nullptr ? *pair.before : *pair.after;
    return FamilyMember{without_part(pair.id, kBatchPart), result.batch_size};
  });
  return pairs;
}

// Sets adjusted_p of the cases that have a difference, and returns their number.
std::size_t adjust(std::vector<CaseComparison>& cases) {
  std::vector<CaseComparison*> tested;
  std::vector<double> p_values;
  for (CaseComparison& one : cases) {
    if (!one.difference) continue;
    tested.push_back(&one);
    p_values.push_back(one.difference->p_value());
  }
  const std::vector<double> adjusted = stats::holm(p_values);
  for (std::size_t i = 0; i < tested.size(); ++i) tested[i]->adjusted_p = adjusted[i];
  return tested.size();
}

void decide_part(std::span<CaseComparison> cases, double alpha, std::size_t tests) {
  for (CaseComparison& one : cases) {
    if (one.reason.empty()) decide(one, alpha, tests);
  }
}

// If thousands of cases are undecided, computing the advice takes a while, so all cores share the cases.
void decide_all(std::span<CaseComparison> cases, double alpha, std::size_t tests) {
  constexpr std::size_t kLeastPart = 200;
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t part = std::max(kLeastPart, cases.size() / cores + 1);
  std::vector<std::future<void>> others;
  while (cases.size() > part) {
    others.push_back(std::async(std::launch::async, decide_part, cases.first(part), alpha, tests));
    cases = cases.subspan(part);
  }
  decide_part(cases, alpha, tests);
  for (std::future<void>& other : others) other.get();
}

}  // namespace

std::string to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::faster:
      return "faster";
    case Verdict::slower:
      return "slower";
    case Verdict::same:
      return "same";
    case Verdict::undecided:
      return "undecided";
    case Verdict::not_compared:
      break;
  }
  return "not compared";
}

std::int64_t Comparison::count(Verdict verdict) const {
  return std::count_if(cases.begin(), cases.end(),
                       [&](const CaseComparison& one) { return one.verdict == verdict; });
}

Comparison compare(const ComparedReport& before, const ComparedReport& after, const CompareRules& rules,
                   const SpreadOf& spread_of) {
  Comparison comparison{&before, &after, rules, pair_cases(before, after), std::nullopt};
  for (CaseComparison& one : comparison.cases) {
    const ComparedCase& newer = one.after != nullptr ? *one.after : *one.before;
    one.threshold = rules.threshold.value_or(newer.threshold.value_or(kThreshold));
    if (!one.reason.empty()) continue;
    if (spread_of) one.machine_spread = spread_of(*one.before, *one.after);
    one.takes_turns = rules.takes_turns;
    one.difference = one.takes_turns ? stats::of_pairs(turn_differences(*one.before, *one.after))
                                     : stats::welch(log_seconds(*one.before), log_seconds(*one.after));
    if (one.difference) one.ratio = to_ratio(*one.difference);
  }
  const std::size_t tests = adjust(comparison.cases);
  decide_all(comparison.cases, rules.alpha, tests);
  comparison.mean = geometric_mean(comparison.cases, rules.takes_turns);
  return comparison;
}

}  // namespace mpsbench::report
