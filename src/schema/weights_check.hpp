// Finds the tensors of a network in a weights file. The front checks before anything runs, and the worker
// checks again.
#pragma once

#include "base/safetensors.hpp"
#include "schema/network_plan.hpp"

#include <map>
#include <string>
#include <vector>

namespace mpsbench::schema {

struct WeightsMatch {
  std::map<std::string, std::string> names;  // the file's name by the network's; without what the file lacks
  std::vector<std::string> drawn;            // tensors of the head, which the file lacks
  std::vector<std::string> left_over;        // the file's names that no tensor has
};

// The names may differ as files of the Hugging Face Hub and of wrapped modules do: by a prefix that the file
// has more or less, and by LayerNorm's gamma and beta. The head (the last layer with parameters and the
// linear ones before it, at most half of all such layers) may be missing, and so may each
// num_batches_tracked. Throws an Error(usage) that names FILE and the first missing and misshapen tensors,
// and those of the network's layers, or of more layers like them, that the network does not have.
[[nodiscard]] WeightsMatch match_weights(const base::SafetensorsHeader& header, const NetworkPlan& plan,
                                         const std::string& file);

// Returns what MATCH leaves out in one line, or "" if nothing.
[[nodiscard]] std::string remark_on(const WeightsMatch& match);

}  // namespace mpsbench::schema
