#include "report/compare/compare.hpp"

#include "report/compare/case_pairs.hpp"
#include "schema/case_spec.hpp"

#include <algorithm>
#include <future>
#include <span>
#include <thread>

namespace mpsbench::report {
namespace {

// Flags of work that went wrong: its speed is not worth comparing. Cases whose steps drift are compared: the
// work is right, and the launches show how much they drift.
constexpr const char* kUnfitFlags[] = {"diverged", "not-learning", "leaking"};

// Returns why a case has no times to compare, or an empty text if it has some.
std::string unfit(const ComparedCase& result, const std::string& side) {
  for (const char* flag : kUnfitFlags) {
    if (result.has_flag(flag)) return std::string(flag) + " " + side;
  }
  const bool ends_badly = result.status == schema::Status::crashed || result.status == schema::Status::oom;
  const bool is_broken =
      ends_badly && std::ranges::none_of(result.launches, &ComparedLaunch::is_ok);  // no launch ends well
  if (!result.launches.empty() && !is_broken) return "";
  return (result.status == schema::Status::ok ? "no samples" : to_string(result.status)) + " " + side;
}

CaseComparison compared_pair(const CasePair& of) {
  CaseComparison pair;
  pair.id = (of.after != nullptr ? of.after : of.before)->id;
  pair.before = of.before;
  pair.after = of.after;
  if (of.before == nullptr || of.after == nullptr) {
    pair.reason = of.before == nullptr ? "only after" : "only before";
  } else {
    const std::string first = unfit(*of.before, "before");
    const std::string second = unfit(*of.after, "after");
    pair.reason = first + (first.empty() || second.empty() ? "" : ", ") + second;
  }
  return pair;
}

std::vector<CaseComparison> pair_cases(const ComparedReport& before, const ComparedReport& after) {
  std::vector<CaseComparison> pairs;
  for (const CasePair& one : case_pairs(before, after)) pairs.push_back(compared_pair(one));
  sort_by_batch(pairs, [](const CaseComparison& pair) {
    const ComparedCase& result = pair.before != nullptr ? *pair.before : *pair.after;
    return FamilyMember{schema::CaseId(pair.id).without_part(schema::CaseId::batch).text(), result.spec.batch_size};
  });
  return pairs;
}

std::vector<schema::GateOn> gates_of(const ComparedCase& newer, const CompareRules& rules) {
  std::vector<schema::GateOn> gates = rules.gate_on.empty() ? newer.gate_on : rules.gate_on;
  if (gates.empty()) gates.emplace_back();
  const auto lacks = [&](const schema::GateOn& gate) { return !row_of(gate.metric).is_of(newer.spec.mode); };
  if (!std::ranges::all_of(gates, lacks)) std::erase_if(gates, lacks);
  return gates;
}

// Returns why a launch of a side lacks METRIC, or an empty text if all have it. The launches that lack it may
// be the slow ones, so the others cannot stand for them.
std::string missing(const ComparedCase& result, schema::GatedMetric metric, const std::string& side) {
  const auto why = result.why_missing.find(metric);
  if (why == result.why_missing.end() && !result.logs(metric).empty()) return "";
  return "no " + to_string(metric) + " " + side + (why == result.why_missing.end() ? "" : ": " + why->second);
}

void add_entries(const CaseComparison& pair, const CompareRules& rules, std::vector<CaseComparison>& entries) {
  const ComparedCase& newer = pair.after != nullptr ? *pair.after : *pair.before;
  for (const schema::GateOn& gate : gates_of(newer, rules)) {
    CaseComparison& one = entries.emplace_back(pair);
    one.metric = gate.metric;
    one.threshold = gate.threshold.value_or(rules.threshold.value_or(newer.threshold.value_or(kThreshold)));
    one.takes_turns = rules.takes_turns;
    if (!one.reason.empty()) break;
    one.reason = missing(*one.before, one.metric, "before");
    if (one.reason.empty()) one.reason = missing(*one.after, one.metric, "after");
  }
}

// Sets adjusted_p of the cases that have a difference, and returns their number.
std::size_t adjust(std::vector<CaseComparison>& cases) {
  std::vector<CaseComparison*> tested;
  std::vector<double> p_values;
  for (CaseComparison& one : cases) {
    if (!one.difference) continue;
    tested.push_back(&one);
    p_values.push_back(p_value(one));
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
  constexpr const char* kNames[] = {"faster", "slower", "same", "undecided", "not compared"};
  return kNames[static_cast<std::size_t>(verdict)];
}

std::int64_t Comparison::count(Verdict verdict) const {
  return std::ranges::count(cases, verdict, &CaseComparison::verdict);
}

bool Comparison::has_other_metrics() const {
  return std::ranges::count(cases, schema::GatedMetric::step, &CaseComparison::metric) < std::ssize(cases);
}

Comparison compare(const ComparedReport& before, const ComparedReport& after, const CompareRules& rules,
                   const SpreadOf& spread_of) {
  Comparison comparison{&before, &after, rules, {}, std::nullopt};
  for (const CaseComparison& pair : pair_cases(before, after)) add_entries(pair, rules, comparison.cases);
  for (CaseComparison& one : comparison.cases) {
    if (!one.reason.empty()) continue;
    if (spread_of && one.metric == schema::GatedMetric::step) one.machine_spread = spread_of(*one.before, *one.after);
    one.difference = difference_of(one);
    if (one.difference) {
      one.ratio = to_ratio(*one.difference);
    } else if (launches_at_hand(one) == 1) {
      one.within_launch_ratio = one.after->value(one.metric).value() / one.before->value(one.metric).value();
    }
  }
  const std::size_t tests = adjust(comparison.cases);
  decide_all(comparison.cases, rules.alpha, tests);
  comparison.mean = geometric_mean(comparison.cases, rules.takes_turns);
  return comparison;
}

}  // namespace mpsbench::report
