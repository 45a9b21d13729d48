#include "run/worker_build.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "schema/tool_info.hpp"

namespace mpsbench::run {

std::optional<BuildDifference> build_difference(const schema::ToolInfo& front,
                                                const std::optional<schema::ToolInfo>& worker) {
  if (!worker || worker->version != front.version) {
    return BuildDifference{true,
                           "this is mpsbench " + front.version + ", but its worker is " +
                               (worker ? worker->version : "of an older version"),
                           "install the same version (pip install mpsbench==" + front.version +
                               ") or build both from one checkout"};
  }
  const std::string commit = commit_text(front);
  const std::string other = commit_text(*worker);
  if (commit == other || commit.empty() || other.empty()) return std::nullopt;
  return BuildDifference{false,
                         "this program is of commit " + commit + ", but its worker is of commit " + other +
                             "; reports name only the first",
                         "build or install both from one commit"};
}

void require_own_build(const std::optional<schema::ToolInfo>& worker) {
  const std::optional<BuildDifference> difference = build_difference(schema::tool_info(), worker);
  if (!difference) return;
  const std::string text = difference->message + "; " + difference->cure;
  if (difference->is_refused) throw base::usage_error(text);
  base::log::warn(text);
}

}  // namespace mpsbench::run
