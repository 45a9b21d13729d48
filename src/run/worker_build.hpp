// Reports name the front's build, but the worker's measures.
#pragma once

#include "schema/host.hpp"

#include <optional>
#include <string>

namespace mpsbench::run {

struct BuildDifference {
  bool is_refused = false;  // they have different versions; otherwise only different commits
  std::string message;
  std::string cure;
};

// Returns how WORKER's build differs from FRONT's, or nullopt if it does not, as far as both are known.
// nullopt for WORKER: it is too old to say.
[[nodiscard]] std::optional<BuildDifference> build_difference(const schema::ToolInfo& front,
                                                              const std::optional<schema::ToolInfo>& worker);

// Throws Error(usage) if WORKER has another version than this program. Warns if it has another commit.
void require_own_build(const std::optional<schema::ToolInfo>& worker);

}  // namespace mpsbench::run
