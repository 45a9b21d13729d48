#include "schema/closed_set.hpp"

#include "base/units.hpp"

namespace mpsbench::schema {

std::string unknown_name(const char* what, std::string_view name, const std::vector<std::string>& known) {
  return "unknown " + std::string(what) + " \"" + base::excerpt(name) + "\"" + base::did_you_mean(name, known) +
         "; known: " + base::join(known);
}

}  // namespace mpsbench::schema
