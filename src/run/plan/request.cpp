#include "run/plan/request.hpp"

#include "base/error.hpp"

#include <algorithm>

namespace mpsbench::run {

RunRequest read_request(const suite::Catalog& catalog, const std::vector<std::string>& suites,
                        const suite::Settings& options) {
  RunRequest request;
  for (const std::string& name : suites) {
    if (std::ranges::count(suites, name) > 1)
      throw base::usage_error("the suite '" + name + "' appears twice; remove one");
    const suite::Suite one = catalog.load_suite(name);
    request.title += (request.title.empty() ? "" : "+") + one.name;
    request.settings = request.settings.overlaid_with(one.settings);
    for (const suite::Settings& matrix : one.matrices) request.matrices.push_back(matrix.overlaid_with(options));
  }
  // The limit of one suite says nothing about the time that several take.
  if (suites.size() > 1) request.settings.time_limit_seconds.clear();
  request.settings = request.settings.overlaid_with(options);
  if (!suites.empty()) return request;
  request.title = "adhoc";
  if (options.models.has()) request.matrices.push_back(options);
  return request;
}

}  // namespace mpsbench::run
