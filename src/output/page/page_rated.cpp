#include "output/page/page_rated.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <tuple>

namespace mpsbench::output {
namespace {

RatedGroup& group_of(std::vector<RatedGroup>& groups, const schema::CaseSpec& spec) {
  const auto found = std::ranges::find_if(groups, [&spec](const RatedGroup& group) {
    return group.model == spec.model && group.mode == spec.mode;
  });
  return found == groups.end() ? groups.emplace_back(RatedGroup{spec.model, spec.mode, {}}) : *found;
}

// Returns the position of GROUP in the order of groups.
std::tuple<std::size_t, schema::Mode, std::int64_t> rank_of(const PageReports& page,
                                                            const RatedGroup& group) {
  std::set<std::size_t> reports;
  std::int64_t parameters = 0;
  for (const RatedCase& one : group.cases) {
    reports.insert(one.report);
    parameters = std::max(parameters, result_of(page, one).metrics.parameters.value_or(0));
  }
  return {page.all->size() - reports.size(), group.mode, -parameters};
}

// The places of series in their groups: by report, network, mode and series.
using Places = std::map<std::tuple<std::size_t, std::string, schema::Mode, std::string>, std::size_t>;

// Adds the case to its group, or counts it.
void add(RatedCases& rated, Places& places, std::size_t report, std::size_t number,
         const schema::CaseResult& result) {
  const auto rate = rate_of(result);
  if (!rate) {
    ++rated.without_time;
  } else if (result.published && result.published->is_other_work()) {
    ++rated.other_work;
  } else {
    std::vector<RatedCase>& mine = group_of(rated.groups, result.spec).cases;
    const auto [place, added] =
        places.try_emplace({report, result.spec.model, result.spec.mode, series_of(result)}, mine.size());
    if (added) {
      mine.push_back({report, number, *rate});
      return;
    }
    ++rated.other_batches;
    RatedCase& fastest = mine[place->second];
    if (rate->value > fastest.rate.value) fastest = {report, number, *rate};
  }
}

}  // namespace

RatedCases rated_cases(const PageReports& page) {
  RatedCases rated;
  Places places;
  for (std::size_t at = 0; at < page.all->size(); ++at) {
    const std::vector<schema::CaseResult>& cases = (*page.all)[at].cases;
    for (std::size_t number = 0; number < cases.size(); ++number)
      add(rated, places, at, number, cases[number]);
  }
  std::ranges::stable_sort(rated.groups, {},
                           [&page](const RatedGroup& group) { return rank_of(page, group); });
  for (RatedGroup& group : rated.groups)
    std::ranges::stable_sort(group.cases, std::greater<>(),
                             [](const RatedCase& one) { return one.rate.value; });
  return rated;
}

bool has_diverged(const schema::CaseResult& result) {
  return std::ranges::find(result.flags, "diverged") != result.flags.end();
}

const schema::CaseResult& result_of(const PageReports& page, const RatedCase& rated) {
  return (*page.all)[rated.report].cases[rated.number];
}

std::string device_of(const PageReports& page, const RatedCase& rated) {
  const schema::HostInfo& host = (*page.all)[rated.report].host;
  return (page.several() ? page.letters[rated.report] + " " : "") +
         device_title(host, result_of(page, rated).spec.device);
}

}  // namespace mpsbench::output
