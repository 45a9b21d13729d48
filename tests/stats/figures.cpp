// For scipy_test.py: reads {"first": [...], "second": [...], "p_values": [...]} objects, one a line, and
// answers each with what src/stats makes of it, one line of JSON.
#include "stats/holm.hpp"
#include "stats/welch.hpp"

#include <nlohmann/json.hpp>

#include <iostream>
#include <string>
#include <vector>

int main() {
  using Values = std::vector<double>;
  std::string line;
  while (std::getline(std::cin, line)) {
    const auto request = nlohmann::json::parse(line);
    const auto difference =
        mpsbench::stats::welch(request.at("first").get<Values>(), request.at("second").get<Values>());
    nlohmann::json answer{{"holm", mpsbench::stats::holm(request.at("p_values").get<Values>())}};
    if (difference) {
      answer["estimate"] = difference->estimate;
      answer["freedom"] = difference->freedom;
      answer["p_value"] = difference->p_value();
      answer["half_width_95"] = difference->half_width(0.95);
      answer["half_width_999"] = difference->half_width(0.999);
    }
    std::cout << answer.dump() << '\n';
  }
  return 0;
}
