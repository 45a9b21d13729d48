// Short case ids for tables that people read.
#pragma once

#include <string>
#include <vector>

namespace mpsbench::output {

// Returns IDS ("mlp/train/cpu/b64/fp32/eager/synthetic+seed=1") without the precision, engine and data set if
// all ids have the same one: "mlp/train/cpu/b64+seed=1".
[[nodiscard]] std::vector<std::string> short_ids(const std::vector<std::string>& ids);

}  // namespace mpsbench::output
