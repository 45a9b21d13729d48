// A helper for scipy_test.py. It reads objects of lists, one per line, and answers each with one line of
// JSON: the statistics that src/stats computes from it. The keys are "first" and "second" (samples), "times"
// (samples above 0) and "shares" (probabilities and p-values).
#include "stats/interval.hpp"
#include "stats/significance.hpp"
#include "stats/summary.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

namespace {

using namespace mpsbench;
using nlohmann::json;
using Values = std::vector<double>;

json of_two(const Values& first, const Values& second) {
  const auto difference = stats::welch(first, second);
  const std::size_t common = std::min(first.size(), second.size());
  return {{"estimate", difference.value().estimate},
          {"freedom", difference->freedom},
          {"p_value", difference->p_value()},
          {"half_width_95", difference->half_width(0.95)},
          {"half_width_999", difference->half_width(0.999)},
          {"share_greater", stats::share_greater(first, second)},
          {"slope", stats::median_slope({first.data(), common}, {second.data(), common}).value()}};
}

json of_one(const Values& times, const Values& shares) {
  json quantiles;
  json factors;
  for (const double share : shares) {
    quantiles.push_back(stats::quantile(times, share).value());
    factors.push_back(stats::student_factor(static_cast<double>(times.size()) - 0.5, share));
  }
  const auto launches = stats::launches_interval(times, {});
  return {{"mean", stats::mean(times).value()},
          {"median", stats::median(times).value()},
          {"stddev", stats::stddev(times).value()},
          {"quantiles", quantiles},
          {"student_factors", factors},
          {"launches", {launches.value().low, launches->median, launches->high}}};
}

}  // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    const json request = json::parse(line);
    const auto values = [&](const char* key) { return request.at(key).get<Values>(); };
    json answer = of_two(values("first"), values("second"));
    answer.update(of_one(values("times"), values("shares")));
    answer["holm"] = stats::holm(values("shares"));
    std::cout << answer.dump() << '\n';
  }
  return 0;
}
