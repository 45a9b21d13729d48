// Case ids for people's tables.
#pragma once

#include <string>
#include <vector>

namespace mpsbench::output {

// IDS ("mlp/train/cpu/b64/fp32/eager/synthetic+seed=1") without precision, engine and data set where all
// agree in it: "mlp/train/cpu/b64+seed=1".
[[nodiscard]] std::vector<std::string> short_ids(const std::vector<std::string>& ids);

}  // namespace mpsbench::output
