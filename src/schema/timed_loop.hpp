// The definition of a loop of another program, which the library timed (library/timing.hpp). It stands in the
// report in place of a network's definition, because nothing is known of what the loop computes.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace mpsbench::schema {

[[nodiscard]] nlohmann::json timed_loop_definition(const std::string& name);
[[nodiscard]] bool is_timed_loop(const nlohmann::json& definition);

}  // namespace mpsbench::schema
