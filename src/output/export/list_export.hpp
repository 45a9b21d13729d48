// Lists, such as those of models and devices: an array of flat objects with the same keys. A value may be a
// list of texts.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace mpsbench::output {

[[nodiscard]] std::string list_table(const nlohmann::ordered_json& entries);
[[nodiscard]] std::string list_markdown(const nlohmann::ordered_json& entries);
[[nodiscard]] std::string list_csv(const nlohmann::ordered_json& entries);
[[nodiscard]] std::string list_json(const nlohmann::ordered_json& entries);
// Returns one entry per line.
[[nodiscard]] std::string list_json_lines(const nlohmann::ordered_json& entries);

}  // namespace mpsbench::output
