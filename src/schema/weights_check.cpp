#include "schema/weights_check.hpp"

#include "base/error.hpp"

#include <set>
#include <vector>

namespace mpsbench::schema {
namespace {

// Returns "; missing: a, b, c and 7 more", or "" if NAMES is empty.
std::string list(const std::string& title, const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 3;
  if (names.empty()) return "";
  std::string text = "; " + title + ": ";
  for (std::size_t i = 0; i < names.size() && i < kShown; ++i) text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kShown) text += " and " + std::to_string(names.size() - kShown) + " more";
  return text;
}

}  // namespace

void require_fitting_weights(const base::SafetensorsHeader& header, const NetworkPlan& plan,
                             const std::string& file) {
  std::vector<std::string> missing;
  std::vector<std::string> misshapen;
  std::vector<std::string> extra;
  std::set<std::string> wanted;
  for (const NetworkNode& node : plan.nodes) {
    for (const NetworkTensor& tensor : node.tensors) {
      wanted.insert(tensor.name);
      const auto found = header.tensors.find(tensor.name);
      if (found == header.tensors.end()) {
        if (tensor.role != "num_batches_tracked") missing.push_back(tensor.name);
      } else if (found->second.shape != tensor.shape) {
        misshapen.push_back(tensor.name + " is " + to_string(found->second.shape) + " instead of " +
                            to_string(tensor.shape));
      }
    }
  }
  for (const auto& [name, entry] : header.tensors) {
    if (!wanted.contains(name)) extra.push_back(name);
  }
  const std::string problems =
      list("missing", missing) + list("wrong shape", misshapen) + list("unknown", extra);
  if (!problems.empty()) {
    throw base::usage_error(file + ": these are not the weights of '" + plan.model + "'" + problems);
  }
}

}  // namespace mpsbench::schema
