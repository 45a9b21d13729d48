#include "schema/closed_set.hpp"

namespace mpsbench::schema {

std::string unknown_name(const char* what, std::string_view name, const std::vector<std::string>& known) {
  std::string list;
  for (const std::string& one : known) list += (list.empty() ? "" : ", ") + one;
  return "unknown " + std::string(what) + " \"" + base::excerpt(name) + "\"" + base::did_you_mean(name, known) +
         "; known: " + list;
}

}  // namespace mpsbench::schema
