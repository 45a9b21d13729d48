#include "report/compare/nearest_cases.hpp"

#include "report/compare/case_order.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>

namespace mpsbench::report {
namespace {

constexpr std::size_t kMostTried = 500;  // cases of a report: trying all pairs of thousands would take long

// The parts of an id in their order, and how much each of them makes cases unlike. The device does not count.
struct Part {
  const char* name;
  int weight;
};
constexpr Part kParts[] = {{"model", 1000},   {"mode", 300},  {"device", 0},    {"batch size", 10},
                           {"precision", 30}, {"engine", 30}, {"data set", 100}};
constexpr int kOptionWeight = 20;

struct Parts {
  const ComparedCase* result = nullptr;
  std::vector<std::string> names;
  std::map<std::string, std::string> options;
};

Parts parts_of(const ComparedCase& result) {
  Parts parts{&result, {}, {}};
  const std::string id = without_own_options(result.id);
  const std::size_t end = std::min(id.find('+'), id.size());
  for (std::size_t begin = 0; begin <= end;) {
    const std::size_t slash = std::min(id.find('/', begin), end);
    parts.names.push_back(id.substr(begin, slash - begin));
    begin = slash + 1;
  }
  if (parts.names.size() > 3) parts.names[3] = std::to_string(result.batch_size);
  parts.names.resize(std::size(kParts));
  for (std::size_t begin = end; begin < id.size();) {
    const std::size_t next = std::min(id.find('+', begin + 1), id.size());
    const std::size_t equal = std::min(id.find('=', begin), next);
    parts.options[id.substr(begin + 1, equal - begin - 1)] =
        id.substr(std::min(equal + 1, next), next - equal - 1);
    begin = next;
  }
  return parts;
}

std::vector<Parts> all_parts(const ComparedReport& report) {
  std::vector<Parts> all;
  for (const ComparedCase& result : std::span(report.cases).first(std::min(report.cases.size(), kMostTried)))
    all.push_back(parts_of(result));
  return all;
}

std::string value_of(const Parts& parts, const std::string& option) {
  const auto found = parts.options.find(option);
  return found == parts.options.end() ? "none" : found->second;
}

// Calls EACH with the name, weight and both values of every difference.
template <typename Each>
void differences(const Parts& one, const Parts& other, Each each) {
  for (std::size_t at = 0; at < std::size(kParts); ++at) {
    if (kParts[at].weight > 0 && one.names[at] != other.names[at])
      each(kParts[at].name, kParts[at].weight, one.names[at], other.names[at]);
  }
  std::map<std::string, std::string> options = one.options;
  options.insert(other.options.begin(), other.options.end());
  for (const auto& [name, unused] : options) {
    const std::string first = value_of(one, name);
    const std::string second = value_of(other, name);
    if (first != second) each(name, kOptionWeight, first, second);
  }
}

int distance(const Parts& one, const Parts& other) {
  int sum = 0;
  differences(one, other, [&](const std::string&, int weight, const auto&, const auto&) { sum += weight; });
  return sum;
}

}  // namespace

std::optional<NearestCases> nearest_cases(const ComparedReport& one, const ComparedReport& other) {
  const std::vector<Parts> firsts = all_parts(one);
  const std::vector<Parts> seconds = all_parts(other);
  const Parts* first = nullptr;
  const Parts* second = nullptr;
  int least = 0;
  for (const Parts& a : firsts) {
    for (const Parts& b : seconds) {
      const int far = distance(a, b);
      if (first != nullptr && far >= least) continue;
      first = &a;
      second = &b;
      least = far;
    }
  }
  if (first == nullptr) return std::nullopt;
  NearestCases nearest{first->result, second->result, {}};
  differences(*first, *second, [&](const std::string& name, int, const auto& a, const auto& b) {
    nearest.differences.push_back(name + " " + a + " and " + b);
  });
  return nearest;
}

}  // namespace mpsbench::report
