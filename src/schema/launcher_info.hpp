// The launcher of a run that several fronts work on, one a rank.
#pragma once

#include "base/json_reader.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>

namespace mpsbench::schema {

struct LauncherInfo {
  std::string name;        // such as "torchrun"
  std::int64_t ranks = 0;  // the world size
  std::int64_t hosts = 1;  // the number of machines that they are on

  bool operator==(const LauncherInfo&) const = default;
};

// Returns text such as "torchrun with 4 processes on 2 machines".
[[nodiscard]] std::string words_of(const LauncherInfo& launcher);

[[nodiscard]] nlohmann::ordered_json to_json(const LauncherInfo& launcher);
[[nodiscard]] LauncherInfo read_launcher_info(base::Reader reader);

}  // namespace mpsbench::schema
