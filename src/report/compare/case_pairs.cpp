#include "report/compare/case_pairs.hpp"

#include "report/compare/case_order.hpp"

#include <map>
#include <string>
#include <string_view>

namespace mpsbench::report {
namespace {

// The positions in PAIRS of a work's cases that have no partner yet.
struct Lonely {
  std::vector<std::size_t> before;
  std::vector<std::size_t> after;
};

void pair_lonely(std::vector<CasePair>& pairs) {
  std::map<std::string, Lonely> works;
  for (std::size_t at = 0; at < pairs.size(); ++at) {
    if (pairs[at].after == nullptr)
      works[without_own_options(pairs[at].before->id)].before.push_back(at);
    else if (pairs[at].before == nullptr)
      works[without_own_options(pairs[at].after->id)].after.push_back(at);
  }
  for (const auto& [work, lonely] : works) {
    if (lonely.before.size() != 1 || lonely.after.size() != 1) continue;
    pairs[lonely.before.front()].after = pairs[lonely.after.front()].after;
    pairs[lonely.after.front()] = {};
  }
  std::erase_if(pairs, [](const CasePair& one) { return one.before == nullptr && one.after == nullptr; });
}

}  // namespace

std::vector<CasePair> case_pairs(const ComparedReport& before, const ComparedReport& after) {
  std::map<std::string_view, const ComparedCase*> left;
  for (const ComparedCase& result : after.cases) left[result.id] = &result;
  std::vector<CasePair> pairs;
  for (const ComparedCase& result : before.cases) {
    const auto found = left.find(result.id);
    pairs.push_back({&result, found == left.end() ? nullptr : found->second});
    if (found != left.end()) left.erase(found);
  }
  for (const ComparedCase& result : after.cases) {
    if (left.contains(result.id)) pairs.push_back({nullptr, &result});
  }
  pair_lonely(pairs);
  return pairs;
}

}  // namespace mpsbench::report
