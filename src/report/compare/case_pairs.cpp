#include "report/compare/case_pairs.hpp"

#include "schema/case_spec.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

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

std::string without_part(const std::string& id, std::size_t number) {
  return schema::CaseId(id).without_part(number).text();
}

std::string without_option(const std::string& id, const std::string& name) {
  return schema::CaseId(id).without_option(name).text();
}

std::string without_own_options(const std::string& id) {
  return schema::CaseId(id).without_own_options().text();
}

std::vector<std::size_t> order_by_batch(const std::vector<FamilyMember>& members) {
  std::map<std::string, std::size_t> first;
  std::vector<std::tuple<std::size_t, std::int64_t, std::size_t>> keys;
  for (std::size_t at = 0; at < members.size(); ++at)
    keys.emplace_back(first.try_emplace(members[at].family, at).first->second, members[at].batch_size, at);
  std::ranges::sort(keys);
  std::vector<std::size_t> order;
  for (const auto& [family, batch_size, at] : keys) order.push_back(at);
  return order;
}

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
