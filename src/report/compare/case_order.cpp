#include "report/compare/case_order.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace mpsbench::report {

std::string without_part(const std::string& id, std::size_t number) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < number && begin != std::string::npos; ++i) {
    const std::size_t slash = id.find('/', begin);
    begin = slash == std::string::npos ? slash : slash + 1;
  }
  if (begin == std::string::npos) return id;
  const std::size_t end = id.find('/', begin);
  return id.substr(0, begin) + (end == std::string::npos ? "" : id.substr(end + 1));
}

std::string without_option(const std::string& id, const std::string& name) {
  const std::size_t begin = id.find('+' + name + '=');
  if (begin == std::string::npos) return id;
  const std::size_t end = id.find('+', begin + 1);
  return id.substr(0, begin) + (end == std::string::npos ? "" : id.substr(end));
}

std::string without_own_options(std::string id) {
  for (const char* option : kOwnOptions) id = without_option(id, option);
  return id;
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

}  // namespace mpsbench::report
